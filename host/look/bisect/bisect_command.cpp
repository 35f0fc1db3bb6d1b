#include <fmt/format.h>

#include <ostream>

#include "host/look/bisect/bisect.hpp"
#include "host/look/bisect/command.hpp"
#include "host/look/bisect/program_side.hpp"

namespace weft::bisect {
namespace {

/// A whole command line, or what follows that of `arguments`.
std::vector<std::string> words_of(const Arguments& arguments, const std::string& name,
                                  const std::filesystem::path& program) {
  const auto at = arguments.options.find(name);
  std::vector<std::string> words = split(at == arguments.options.end() ? "" : at->second);
  if (!words.empty() && !words[0].starts_with("--")) return words;
  if (arguments.params.empty())
    throw Refusal("--" + name, "names no program",
                  "write PROGRAM run --params FILE ..., or give --params FILE to both");
  std::vector<std::string> all = {program.string(), "run", "--params", arguments.params};
  for (const Override& o : arguments.overrides) all.push_back(fmt::format("--{}={}", o.key, o.value));
  all.insert(all.end(), words.begin(), words.end());
  return all;
}

}  // namespace

int bisect_command(const Arguments& arguments, const std::filesystem::path& program, std::ostream& out) {
  const auto given = arguments.options.find("out");
  const std::filesystem::path folder = given == arguments.options.end() ? "out/bisect" : given->second;
  if (!arguments.options.contains("a") && !arguments.options.contains("b"))
    throw Refusal("weft bisect", "has only one side", "write --b=\"--backend rtl\", or what else is to differ");
  const std::vector<std::string> a = words_of(arguments, "a", program), b = words_of(arguments, "b", program);
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw Refusal("--out", fmt::format("{}: {}", folder.string(), error.message()),
                  "name a folder that can be written");
  ProgramSide left(a, folder, "a"), right(b, folder, "b");
  out << fmt::format("a       {}\nb       {}\n", fmt::join(a, " "), fmt::join(b, " ")) << std::flush;
  const Finding finding = bisect(left, right, out);
  print(finding, out);
  return finding.kind == Kind::Nothing ? 0 : 1;
}

}  // namespace weft::bisect
