#include "host/programs/certify.hpp"

#include <string_view>

#include "sw/deadlock/check.hpp"

namespace weft::programs {
namespace {

constexpr std::string_view kRootCause = "root cause: ";

/// A problem of the check as an error: the beginning of its text, and a hint.
struct Wording {
  const char* problem;
  const char* hint;
  bool hangs = false;
};

Wording wording_of(std::string_view problem) {
  const auto has = [&](std::string_view text) { return problem.find(text) != std::string_view::npos; };
  if (has("determined beforehand"))
    return {"cannot be checked: ", "branch on arguments and constants alone, or run without the check"};
  if (problem.starts_with(kRootCause)) {
    if (has("wait in a cycle"))
      return {"can deadlock: ", "let tiles take words before they send more than the buffers hold", true};
    return {"would hang: ", "send as many words on a stream as its receivers take", true};
  }
  if (has(" route "))
    return {"has a wrong stream: ",
            "let a tile send only if the stream leads on from it, and take only if the stream leads to it",
            has("no route of that color leads there")};
  if (has("words are left over"))
    return {"has a wrong stream: ", "send as many words on a stream as its receivers take"};
  if (has("an illegal instruction"))
    return {"is wrong: ",
            "a routine that the kernel forks executes snd, rcv, vs, vb and vr, and the kernel itself vf (pe.md)"};
  return {"is wrong: ", "correct the program"};
}

}  // namespace

std::optional<Uncertified> certify(const Image& image, std::span<const machine::Message> run,
                                   const std::string& subject) {
  deadlock::Input input{.shape = image.shape, .program = image.programs.at(0).program, .others = {}, .phases = {}};
  for (std::size_t i = 1; i < image.programs.size(); ++i) input.others.push_back(image.programs[i].program);
  input.phases.push_back({.name = "load", .messages = image.load});
  input.phases.push_back(
      {.name = subject, .messages = {run.begin(), run.end()}, .known = false, .registers_known = false});
  const deadlock::Result result = deadlock::check(input);
  if (result.certified()) return std::nullopt;
  const std::string& problem = result.phases.back().problem;
  const std::size_t end = problem.find('\n');
  const std::string report = end == std::string::npos ? "" : problem.substr(end + 1);
  std::string_view first = std::string_view(problem).substr(0, end);
  const Wording wording = wording_of(first);
  if (first.starts_with(kRootCause)) first.remove_prefix(kRootCause.size());
  return Uncertified{Stopped(subject, wording.problem + std::string(first), wording.hint, report), wording.hangs};
}

}  // namespace weft::programs
