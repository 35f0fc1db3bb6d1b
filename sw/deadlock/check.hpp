/// `weft check`: proves a compiled program deadlock-free before it runs, or reports the deadlock
/// (docs/explanation/hangs.md).
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "sw/asm/program.hpp"
#include "sw/compiler/plan/plan.hpp"
#include "sw/deadlock/network.hpp"
#include "sw/deadlock/phase.hpp"
#include "sw/deadlock/report.hpp"

namespace weft::deadlock {

/// The programs of an input, which must outlive the result.
Programs programs_of(const Input& input);

/// The plan's load, arbitrary tokens, and all ops. Values of weights do not matter. `plan` must outlive the result.
Input input_of(const compiler::Plan& plan);

struct PhaseResult {
  std::string name;
  std::string same_as;                  ///< an earlier phase with an equal network
  std::uint64_t messages = 0;           ///< sent by the host
  std::uint64_t events = 0, steps = 0;  ///< events of all threads; single steps of the order
  std::string problem;                  ///< empty: certified. The first line is a summary
};

struct Result {
  std::vector<PhaseResult> phases;
  bool certified() const;
};

/// Progress callbacks and optional outputs.
struct Watch {
  std::function<void(const PhaseResult&)> phase;  ///< called after each phase
  /// Called from time to time within a phase: `sent` of the `all` messages of its valves are on the wafer.
  std::function<void(const std::string& name, std::uint64_t sent, std::uint64_t all)> sent;
  /// Receives the orders as text, as far as they were found (docs/explanation/hangs.md).
  std::ostream* order = nullptr;
  std::ostream* graph = nullptr;  ///< receives the dependency graphs, for Graphviz
  bool by_tile = false;           ///< reads every tile separately, even if all columns of a row are equal
};

/// Checks all phases up to the first with a problem.
Result check(const Input& input, const Watch& watch = {});

/// Problems of the routes of words that threads send and take in a phase, one line each; empty if there are none.
std::vector<std::string> route_problems(const Network& network, const Programs& programs);

/// Writes the threads of a phase and the messages between them as a Graphviz graph.
void draw(const Network& network, const std::string& name, std::ostream& out);

}  // namespace weft::deadlock
