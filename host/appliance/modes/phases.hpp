/// What a micro-batch costs a wafer, phase by phase.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "host/appliance/estimate/ahead.hpp"
#include "host/appliance/estimate/kernels/classes.hpp"
#include "host/appliance/estimate/sample.hpp"
#include "host/appliance/progress.hpp"
#include "sw/compiler/plan.hpp"

namespace weft {

/// What keeps an op from being faster: beats of the vector unit, the valve, an outlet, the ring's links, a half of
/// memory, or that a result waits for the one before (and kernels for their call).
enum class Bound : std::uint8_t { MultiplyAdds, Valve, Outlet, Link, Memory, Latency };
inline constexpr std::array<std::string_view, 6> kBoundNames = {"multiply-adds", "valve",  "outlet",
                                                                "link",          "memory", "latency"};

/// The ops of one kind, of all layers together: "h.*.mlp.c_fc".
struct Phase {
  std::string name;
  int ops = 0;
  std::uint64_t sent = 0;                                        ///< messages of the plan's streams
  std::uint64_t weights = 0;                                     ///< of these, parameters
  std::uint64_t returned = 0;                                    ///< words of all outlets
  std::uint64_t beats = 0;                                       ///< of the busiest row's vector unit
  std::uint64_t cycles = 0;                                      ///< expected, behind another op
  std::uint64_t rest = 0;                                        ///< more, if the wafer rests before each op
  std::array<std::uint64_t, kBoundNames.size()> bound_cycles{};  ///< of ops that are bound so

  void add(const Phase& op);
  /// Of most of its cycles: of kBoundNames.
  std::string_view bound() const;
};

/// The ops of a plan, their cycles estimated. Nothing runs: no wafer, no stream, no parameter. Time grows with the ops,
/// and where there is a mask with the weights.
///
/// A GEMM's and a gradient's cycles come from who waits for whom, message by message, of as many outputs as a sample
/// has. Any other op takes what its kernels take, which are gone through instruction by instruction, for each kind of
/// row (host/appliance/estimate). Ops of the same name in other layers cost the same, if all weights are there.
///
/// What bounds an op is what is busy longest, of
/// - the vector unit of its busiest row;
/// - its fullest valve, which passes a message a cycle; commands go through all valves, weights through that of their
///   row;
/// - its fullest outlet, which passes a word a cycle;
/// - the ring of a GEMM: a column's sums of an output pass a link one a cycle;
/// - a half of memory, which reads one operand a cycle, if it has more to read than the vector unit has beats: what is
///   read alone then takes cycles that beats might have;
/// or latency, if none of them is busy for two thirds of its cycles. `weft-bench estimate` compares cycles with the
/// RTL's.
class CycleEstimate {
 public:
  /// `plan` must outlive this.
  explicit CycleEstimate(const Plan& plan, Sample sample = {}) : plan_(plan), sample_(sample), kernels_(plan) {}

  /// An op behind any other.
  Phase of(const Op& op);
  /// An op behind those that were asked for with this before: valves may have sent some of it ahead.
  Phase next(const Op& op);

 private:
  struct Known {
    Phase phase;
    double messages = 0;  ///< of the fullest valve
    double room = 0;      ///< for so many of them, before the wafer takes any
    double fed = 0;       ///< cycles, with a rest before it, if each row had a valve of its own; not below what is so
  };

  Known known(const Op& op);
  Known fresh(const Op& op);
  /// kind_of_stream, and where the arrays are that are read in pairs. Empty: no other op is known to cost the same.
  std::string kind_of(const Op& op) const;

  const Plan& plan_;
  const Sample sample_;
  KernelCosts kernels_;
  std::map<std::string, Known> known_;
  Ahead ahead_;
};

/// Token ids for a micro-batch, [micro_batch][seq], any that there are: costs do not depend on them.
std::vector<TokenId> some_tokens(const ModelShape& model);

/// Phases in the order of the plan, of the whole micro-batch; the first is that of the tokens. `progress`, if there is
/// one, is told of each op.
std::vector<Phase> estimate_phases(const Plan& plan, Sample sample = {}, Progress* progress = nullptr);

/// "h.*.ln_1" of "h.3.ln_1".
std::string of_all_layers(std::string name);

}  // namespace weft
