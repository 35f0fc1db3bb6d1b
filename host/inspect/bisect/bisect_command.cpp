#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <cerrno>
#include <ostream>
#include <system_error>

#include "host/inspect/bisect/bisect.hpp"
#include "host/inspect/bisect/command.hpp"
#include "host/inspect/bisect/program_side.hpp"
#include "host/inspect/bisect/side_words.hpp"
#include "sw/base/descriptor.hpp"
#include "sw/base/refusal.hpp"
#include "sw/base/shell_word.hpp"

namespace weft::inspect::bisect {
namespace {

/// Joins the words to a command line that can be pasted into a shell.
std::string typed(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + shell_word(word);
  return line;
}

/// Lock to hold for the whole bisection, because the files of both sides have fixed names.
Descriptor lock(const std::filesystem::path& folder) {
  const std::string file = (folder / ".bisect.lock").string();
  Descriptor opened(::open(file.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0666));
  if (opened.get() < 0)
    throw Refusal("--out", fmt::format("{} cannot be written: {}", file, std::generic_category().message(errno)),
                  "name a folder that can be written")
        .caused_by(errno);
  if (::flock(opened.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    throw Refusal("--out", folder.string() + " is in use by another weft bisect",
                  "wait for its end, or name another folder");
  return opened;
}

}  // namespace

int bisect_command(const config::Arguments& arguments, const std::filesystem::path& program, std::ostream& out,
                   system::Progress* progress) {
  const auto given = arguments.options.find("out");
  const std::filesystem::path folder = given == arguments.options.end() ? "out/bisect" : given->second;
  if (!arguments.options.contains("a") && !arguments.options.contains("b"))
    throw Refusal("weft bisect", "has only one side",
                  "write weft bisect model rtl, weft bisect COMMIT, or what else is to differ");
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw Refusal("--out", fmt::format("{}: {}", folder.string(), error.message()), "name a folder that can be written")
        .caused_by(error.value());
  const Descriptor locked = lock(folder);
  const auto words = [&](const char* name) {
    const auto text = arguments.options.find(name);
    return side_words(name, text == arguments.options.end() ? "" : text->second, arguments, program, folder);
  };
  const std::vector<std::string> a = words("a"), b = words("b");
  ProgramSide left(a, folder, "a", progress), right(b, folder, "b", progress);
  out << fmt::format("a       {}\nb       {}\n", typed(a), typed(b)) << std::flush;
  const Finding finding = bisect(left, right, out);
  print(finding, out);
  return finding.kind == Kind::Nothing ? 0 : 1;
}

}  // namespace weft::inspect::bisect
