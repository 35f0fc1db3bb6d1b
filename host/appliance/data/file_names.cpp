#include "host/appliance/data/file_names.hpp"

#include <fmt/format.h>
#include <glob.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <string_view>

#include "sw/base/refusal.hpp"

namespace weft {
namespace {

std::string name_of(const std::string& file) { return std::filesystem::path(file).filename().string(); }

/// Whether one of `words` is in the file's name, between characters that are no letters.
bool has_word(const std::string& file, std::initializer_list<std::string_view> words) {
  std::string word;
  for (const char c : name_of(file) + ".") {
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
  const auto train = std::ranges::find_if(files, [](const auto& file) { return has_word(file, {"train"}); });
  const auto kept = std::ranges::find_if(files, [](const auto& file) {
    return !has_word(file, {"train"}) && has_word(file, {"val", "valid", "validation", "dev", "test", "eval"});
  });
  if (train == files.end() || kept == files.end()) return;
  throw Refusal(path, fmt::format("has {} and {}, which would be taken together", name_of(*train), name_of(*kept)),
                "name one of them, or several by a pattern, as DIR/*train*");
}

}  // namespace weft
