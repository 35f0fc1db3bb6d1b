#include "host/data/file_names.hpp"

#include <fmt/format.h>
#include <glob.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <string_view>

#include "sw/base/refusal.hpp"

namespace weft::data {
namespace {

/// The file's path relative to the folder `path`; for a file outside, such as a match of a pattern, its file name.
std::string name_of(const std::string& file, const std::string& path) {
  const std::filesystem::path below = std::filesystem::path(file).lexically_relative(path);
  return below.empty() || *below.begin() == ".." || below == "." ? std::filesystem::path(file).filename().string()
                                                                 : below.string();
}

/// True if one of `words` is in the name, delimited by characters that are not letters.
bool has_word(const std::string& name, std::initializer_list<std::string_view> words) {
  std::string word;
  for (const char c : name + ".") {
    const auto letter = static_cast<unsigned char>(c);
    if (std::isalpha(letter) != 0) {
      word += static_cast<char>(std::tolower(letter));
    } else {
      if (std::ranges::find(words, word) != words.end()) return true;
      word.clear();
    }
  }
  return false;
}

}  // namespace

std::vector<std::string> matching_files(const std::string& pattern) {
  std::vector<std::string> files;
  glob_t found{};
  if (pattern.find_first_of("*?[") != std::string::npos && ::glob(pattern.c_str(), 0, nullptr, &found) == 0)
    files.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  ::globfree(&found);
  return files;
}

void check_parts(const std::string& path, const std::vector<std::string>& files) {
  std::string train, kept;
  for (const std::string& file : files) {
    const std::string name = name_of(file, path);
    if (has_word(name, {"train"})) {
      if (train.empty()) train = name;
    } else if (kept.empty() && has_word(name, {"val", "valid", "validation", "dev", "test", "eval"})) {
      kept = name;
    }
  }
  if (train.empty() || kept.empty()) return;
  throw Refusal(path, fmt::format("has {} and {}, which would be read as one data set", train, kept),
                "name one of them, or several by a pattern, as DIR/*train*");
}

}  // namespace weft::data
