#include "host/appliance/config/prompts.hpp"

#include <sstream>

#include "host/appliance/data/about.hpp"

namespace weft {

void read_prompts(Config& c) {
  constexpr auto kKey = "runconfig.prompts_file";
  constexpr std::uint64_t kMost = 1 << 26;
  const std::string& path = c.runconfig.prompts_file;
  if (path.empty()) return;
  std::istringstream lines(about(c, kKey, [&] { return read_text(path, kMost); }));
  for (std::string line; std::getline(lines, line);) {
    if (line.ends_with('\r')) line.pop_back();
    if (!line.empty()) c.runconfig.prompt.push_back(line);
  }
  if (c.runconfig.prompt.empty())
    throw c.error(kKey, path + " has nothing but empty lines", "write a prompt on each line");
}

}  // namespace weft
