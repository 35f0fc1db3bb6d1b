/// A temporary folder of the target, for readers that open files by name.
#pragma once

#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <string_view>

#include "sw/base/refusal.hpp"
#include "tests/fuzz/target.hpp"

namespace weft::fuzz {

class Folder {
 public:
  explicit Folder(std::string_view name) {
    std::string path = (std::filesystem::temp_directory_path() / (std::string(name) + "_XXXXXX")).string();
    promise(mkdtemp(path.data()) != nullptr, "a folder's room");
    path_ = path;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string path() const { return path_.string(); }
  std::string operator/(std::string_view name) const { return (path_ / name).string(); }
  /// Returns the file's path.
  std::string write(std::string_view name, std::string_view bytes) const {
    const std::string path = *this / name;
    std::ofstream(path, std::ios::binary | std::ios::trunc)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return path;
  }

 private:
  std::filesystem::path path_;
};

/// Runs `work`, which may reject `file` in one line that names it and gives a hint. Any other exception ends the
/// program.
template <class Work>
void loads_or_refuses(const std::string& file, const Work& work) {
  try {
    work();
  } catch (const Refusal& e) {
    promise_one_line(e.what());
    promise(std::string(e.what()).find(file) != std::string::npos, "an error names the file:", e.what());
  }
}

inline std::string_view text_of(std::span<const std::uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace weft::fuzz
