/// `weft check`: whether a compiled program can come to a standstill, told before it runs (docs/hangs.md).
#pragma once

#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "sw/check/network.hpp"
#include "sw/compiler/plan.hpp"

namespace weft::check {

/// A part of the stream, from rest to rest.
struct Phase {
  std::string name;
  std::vector<Message> messages = {};
  bool known = true;                                        ///< values of MDATA are as they will be
  std::optional<std::vector<std::uint32_t>> returned = {};  ///< words the host awaits of each row's outlet
  const Op* op = nullptr;  ///< if there is one: its stream is the messages, and made when the phase is looked at
};

struct Input {
  WaferShape shape;
  int depth = isa::kDepth;
  Program program;  ///< for names and lines
  std::vector<Phase> phases;
};

/// The plan's load, some tokens, and all ops. What they weigh does not count. `plan` must outlive it.
Input input_of(const Plan& plan);

struct PhaseResult {
  std::string name;
  std::string same_as;                  ///< an earlier phase of which all is the same
  std::uint64_t messages = 0;           ///< of the host
  std::uint64_t events = 0, steps = 0;  ///< of all threads; of its order, all taken one by one
  std::string problem;                  ///< empty: certified. The first line says what is wrong
};

struct Result {
  std::vector<PhaseResult> phases;
  bool certified() const;
};

/// What a caller may want beside the result.
struct Watch {
  std::function<void(const PhaseResult&)> phase;  ///< after each
  /// Now and then in a phase: `sent` of the `all` messages that its valves have are on the wafer.
  std::function<void(const std::string& name, std::uint64_t sent, std::uint64_t all)> sent;
  std::ostream* order = nullptr;  ///< the orders, in words, as far as they go (docs/hangs.md)
  std::ostream* graph = nullptr;  ///< the dependency graphs, for Graphviz
  bool by_tile = false;           ///< reads every tile, not a row at once where its columns are alike
};

/// Goes through all phases up to the first with a problem.
Result check(const Input& input, const Watch& watch = {});

/// What is wrong with the routes for what threads send and take in a phase; empty: nothing. One line each.
std::vector<std::string> route_problems(const Network& network, const Program& program);

/// Threads and what they hand each other in a phase, as a Graphviz graph.
void draw(const Network& network, const std::string& name, std::ostream& out);

}  // namespace weft::check
