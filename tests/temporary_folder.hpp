/// A folder that is removed after the test.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weft::test {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    std::ranges::replace(name, '/', '_');  // parameterized tests have one in their names
    path_ = std::filesystem::temp_directory_path() / ("weft_" + name + "_" + std::to_string(getpid()));
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string operator/(std::string_view name) const { return (path_ / name).string(); }
  const std::filesystem::path& path() const { return path_; }
  /// Writes a file and creates its folders; returns its path.
  std::string write(std::string_view name, std::string_view text) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << text;
    return *this / name;
  }

 private:
  std::filesystem::path path_;
};

inline std::string file_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();  // in blocks, where iterators take a call for each byte
  return std::move(text).str();
}

/// A token shard in the format of llm.c, of uint16. `count`: the count in the header, if not the actual one.
template <class Id = std::uint16_t>
std::string shard_bytes(const std::vector<Id>& ids, std::int32_t magic = 20240520, std::int32_t version = 1,
                        std::int32_t count = -1) {
  const std::vector<std::uint16_t> tokens(ids.begin(), ids.end());
  std::vector<std::int32_t> header(256);
  header[0] = magic, header[1] = version, header[2] = count < 0 ? static_cast<std::int32_t>(tokens.size()) : count;
  std::string bytes(reinterpret_cast<const char*>(header.data()), 4 * header.size());
  bytes.append(reinterpret_cast<const char*>(tokens.data()), 2 * tokens.size());
  return bytes;
}

}  // namespace weft::test
