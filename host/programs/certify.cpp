#include "host/programs/certify.hpp"

#include <string_view>

#include "host/programs/stopped.hpp"
#include "sw/deadlock/check.hpp"

namespace weft::programs {
namespace {

constexpr std::string_view kRootCause = "root cause: ";

std::string hint_for(std::string_view problem) {
  if (problem.find("determined beforehand") != std::string_view::npos)
    return "branch on arguments and constants alone, or run without the check";
  if (problem.find(" route ") != std::string_view::npos)
    return "let a tile send only if the stream leads on from it, and take only if the stream leads to it";
  if (problem.starts_with(kRootCause)) return "let tiles take words before they send more than the buffers hold";
  return "send as many words on a stream as its receivers take";
}

}  // namespace

void certify(const Image& image, std::span<const machine::Message> run, const std::string& subject) {
  deadlock::Input input{.shape = image.shape, .program = {}, .phases = {}};
  if (const assembler::Program* const program = image.only_program()) input.program = *program;
  input.phases.push_back({.name = "load", .messages = image.load});
  input.phases.push_back({.name = subject, .messages = {run.begin(), run.end()}, .known = false});
  const deadlock::Result result = deadlock::check(input);
  if (result.certified()) return;
  const std::string& problem = result.phases.back().problem;
  const std::size_t end = problem.find('\n');
  const std::string report = end == std::string::npos ? "" : problem.substr(end + 1);
  std::string_view first = std::string_view(problem).substr(0, end);
  const std::string hint = hint_for(problem);
  if (first.starts_with(kRootCause)) first.remove_prefix(kRootCause.size());
  throw Stopped(subject, "can deadlock: " + std::string(first), hint, report);
}

}  // namespace weft::programs
