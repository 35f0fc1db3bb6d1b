#include "host/inspect/bisect/side_words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "host/inspect/bisect/execute.hpp"
#include "sw/base/refusal.hpp"

namespace weft::inspect::bisect {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// Short form of a path that is not searched for in PATH.
std::string shown(const fs::path& path) {
  const std::string near = fs::proximate(path).string();
  return near.find('/') == std::string::npos ? "./" + near : near;
}

/// Rejects pipes: each side opens the parameters again for every request.
void check_readable(const std::string& params) {
  std::error_code none;
  const fs::file_status status = fs::status(params, none);
  if (fs::is_fifo(status) || fs::is_socket(status) || fs::is_character_file(status))
    throw Refusal("--params", params + " is a pipe, which can be read once, and both programs read the parameters",
                  "write them to a file, and name that");
}

/// Checks the parameter files that `words` name.
void check_readable(const Words& words) {
  constexpr std::string_view kJoined = "--params=";
  for (std::size_t n = 0; n < words.size(); ++n) {
    if (words[n].starts_with(kJoined)) check_readable(words[n].substr(kJoined.size()));
    if (n > 0 && (words[n - 1] == "--params" || words[n - 1] == "-p")) check_readable(words[n]);
  }
}

/// Build script of the source tree that contains `program`.
fs::path build_script(const std::string& side, const std::string& commit, const fs::path& program) {
  for (fs::path at = fs::absolute(program).parent_path(); at != at.root_path(); at = at.parent_path())
    if (fs::exists(at / "scripts/build_commit")) return at / "scripts/build_commit";
  throw Refusal(side, fmt::format("{}: {} is not in a source tree with commits", commit, program.string()),
                "use a program in its tree's build/, or write PROGRAM run ...");
}

/// Builds `commit` and returns the path of its program.
std::string built(const std::string& side, const std::string& commit, const std::string& params,
                  const fs::path& program, const fs::path& out) {
  const fs::path answer = out / (side.substr(2) + ".program");
  Words words = {build_script(side, commit, program).string(), commit};
  if (!params.empty()) words.push_back(params);
  if (execute(words, answer, Errors::AsOurs) != 0)
    throw Refusal(side, commit + ": this commit could not be built", "see the error above");
  return shown(last_line(answer));
}

}  // namespace

Words side_words(const std::string& name, const std::string& text, const config::Arguments& arguments,
                 const fs::path& program, const fs::path& out) {
  const std::string side = "--" + name;
  Words rest = split(text);
  check_readable(arguments.params);
  check_readable(rest);
  std::string runs = shown(program);
  if (!rest.empty() && !rest[0].starts_with("--")) {
    const std::string first = rest[0];
    rest.erase(rest.begin());
    if (first == "model" || first == "rtl") {
      rest.insert(rest.begin(), {"--backend", first});
    } else if (first.ends_with(".yaml") || first.ends_with(".yml")) {
      check_readable(first);
      rest.insert(rest.begin(), {"--params", first});
      for (std::size_t n = 0; n < arguments.overrides.size(); ++n)  // applies to both sides
        rest.insert(rest.begin() + 2 + static_cast<std::ptrdiff_t>(n),
                    fmt::format("--{}={}", arguments.overrides[n].key, arguments.overrides[n].value));
    } else if (fs::is_regular_file(first) || first.starts_with('/') || (!rest.empty() && rest[0] == "run")) {
      runs = first;
    } else {
      runs = built(side, first, arguments.params, program, out);
    }
  }
  if (!rest.empty() && rest[0] == "run") rest.erase(rest.begin());
  const auto params = [](const std::string& word) { return word == "--params" || word.starts_with("--params="); };
  Words words = {runs, "run"};
  if (std::ranges::none_of(rest, params)) {
    if (arguments.params.empty()) throw Refusal(side, "has no parameters", "give --params FILE to both");
    words.insert(words.end(), {"--params", arguments.params});
    for (const config::Override& o : arguments.overrides) words.push_back(fmt::format("--{}={}", o.key, o.value));
  }
  words.insert(words.end(), rest.begin(), rest.end());
  return words;
}

}  // namespace weft::inspect::bisect
