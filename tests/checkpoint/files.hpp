/// Temporary folders and files for tests.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace weft::checkpoint {

using FileBytes = std::vector<std::uint8_t>;

/// A temporary folder of a test, deleted afterwards.
class TestFolder {
 public:
  explicit TestFolder(const std::string& name)
      : path_(std::filesystem::temp_directory_path() / ("weft_" + name + "_" + std::to_string(getpid()))) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~TestFolder() { std::filesystem::remove_all(path_); }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  /// Sorted names of the files in the folder `below`.
  std::vector<std::string> names(const std::string& below = "") const {
    std::vector<std::string> result;
    for (const auto& e : std::filesystem::directory_iterator(path_ / below)) result.push_back(e.path().filename());
    std::sort(result.begin(), result.end());
    return result;
  }

 private:
  std::filesystem::path path_;
};

inline FileBytes bytes_of(const std::string& text) { return {text.begin(), text.end()}; }

inline std::string text_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();  // in blocks, where iterators take a call for each byte
  return std::move(text).str();
}

inline void write_text(const std::string& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

/// A safetensors file with this header, unchanged, and `data` bytes.
inline FileBytes safetensors_file(const std::string& header, std::size_t data) {
  FileBytes bytes(8 + header.size() + data);
  const std::uint64_t length = header.size();
  std::memcpy(bytes.data(), &length, 8);
  std::memcpy(bytes.data() + 8, header.data(), header.size());
  for (std::size_t i = 0; i < data; ++i) bytes[8 + header.size() + i] = static_cast<std::uint8_t>(i);
  return bytes;
}

}  // namespace weft::checkpoint
