#include "host/config/file/prompts.hpp"

#include <sstream>
#include <string_view>
#include <system_error>

#include "host/config/error_context.hpp"
#include "sw/base/named_text.hpp"

namespace weft {

namespace {

constexpr std::string_view kMark = "\xef\xbb\xbf";  // byte order mark, which some editors put before UTF-8

/// Reads a file, or the output of another program: | weft ... --runconfig.prompts_file /dev/stdin.
std::string prompts_text(const std::string& path) {
  constexpr std::size_t kMost = 1 << 26;
  try {
    std::string text = named_text(path, kMost + 1);
    if (text.size() > kMost) throw Refusal(path, "has more than 64 MiB", "give fewer prompts");
    return text;
  } catch (const std::system_error& e) {
    throw Refusal(path, "cannot be read: " + e.code().message(), "name a file, or a pipe").caused_by(e.code().value());
  }
}

}  // namespace

void read_prompts(Config& c) {
  constexpr auto kKey = "runconfig.prompts_file";
  const std::string& path = c.runconfig.prompts_file;
  if (path.empty()) return;
  std::string text = about(c, kKey, [&] { return prompts_text(path); });
  if (text.starts_with(kMark)) text.erase(0, kMark.size());
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.ends_with('\r')) line.pop_back();
    if (!line.empty()) c.runconfig.prompt.push_back(line);
  }
  if (c.runconfig.prompt.empty())
    throw c.error(kKey, path + " has nothing but empty lines", "write a prompt on each line");
}

}  // namespace weft
