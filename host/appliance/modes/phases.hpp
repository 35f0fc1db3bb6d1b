/// What a micro-batch costs a wafer, phase by phase.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sw/compiler/plan.hpp"
#include "verif/wafer.hpp"

namespace weft {

/// What keeps an op from being faster: beats of the vector unit, the valve, an outlet, the ring's links, or that a
/// result waits for the one before (and kernels for their call).
enum class Bound : std::uint8_t { MultiplyAdds, Valve, Outlet, Link, Latency };
inline constexpr std::array<std::string_view, 5> kBoundNames = {"multiply-adds", "valve", "outlet", "link", "latency"};

/// The ops of one kind, of all layers together: "h.*.mlp.c_fc".
struct Phase {
  std::string name;
  int ops = 0;
  std::uint64_t sent = 0;                                        ///< messages of the plan's streams
  std::uint64_t returned = 0;                                    ///< words of all outlets
  std::uint64_t cycles = 0;                                      ///< expected
  std::array<std::uint64_t, kBoundNames.size()> bound_cycles{};  ///< of ops that are bound so

  void add(const Phase& op);
  /// Of most of its cycles: of kBoundNames.
  std::string_view bound() const;
};

/// The ops of a plan, their cycles estimated.
///
/// The functional model runs the micro-batch and counts each row's beats exactly; they do not depend on values. A
/// GEMM's and a gradient's cycles come from who waits for whom, message by message (host/appliance/estimate), those of
/// the loss from its parts. Any other op takes as long as its busiest row: the beats, where a vector whose successor
/// needs it takes no less than 8 cycles, in attention what is said to wait in docs/kernels.md and the all-reduces of a
/// head on many rows; and for each call and output what their commands and scalar code cost.
///
/// What bounds an op is what is busy longest, of
/// - the vector unit of its busiest row;
/// - its fullest valve, which passes a message a cycle; commands go through all valves, weights through that of their
///   row;
/// - its fullest outlet, which passes a word a cycle;
/// - the ring of a GEMM: a column's sums of an output pass a link one a cycle;
/// or latency, if none of them is busy for two thirds of its cycles. `weft-bench estimate` compares cycles with the
/// RTL's.
class CycleEstimate {
 public:
  /// All must outlive this. `model`: a functional model of the plan's wafer, after plan.load and plan.tokens().
  CycleEstimate(const Plan& plan, Wafer& model) : plan_(plan), model_(model) {}

  /// Feeds an op's messages to the model. Ops must come in the order of the plan.
  Phase run(const Op& op, std::span<const Message> messages);

 private:
  struct Traffic;
  /// `beats`: of each row.
  double cycles_of(const Op& op, std::span<const Message> messages, const Traffic& traffic,
                   const std::vector<std::uint64_t>& beats) const;
  const Plan& plan_;
  Wafer& model_;
};

/// Token ids for a micro-batch, [micro_batch][seq], any that there are: costs do not depend on them.
std::vector<std::uint16_t> some_tokens(const ModelShape& model);

/// Phases in the order of the plan, of the whole micro-batch; the first is that of the tokens.
std::vector<Phase> estimate_phases(const Plan& plan, std::span<const float> parameters);

/// "h.*.ln_1" of "h.3.ln_1".
std::string of_all_layers(std::string name);

}  // namespace weft
