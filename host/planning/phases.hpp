/// Estimates the cost of a micro-batch for a wafer, phase by phase.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "host/planning/estimate/kernels/classes.hpp"
#include "host/planning/estimate/prefetch.hpp"
#include "host/planning/estimate/sample.hpp"
#include "host/system/progress.hpp"
#include "sw/compiler/plan/plan.hpp"

namespace weft::planning {

/// Bottleneck of an op: beats of the vector unit, the valve, an outlet, the ring's links, a half of memory, or the
/// latency between dependent results (for kernels, also of their call).
enum class Bound : std::uint8_t { MultiplyAdds, Valve, Outlet, Link, Memory, Latency };
inline constexpr std::array<std::string_view, 6> kBoundNames = {"multiply-adds", "valve",  "outlet",
                                                                "link",          "memory", "latency"};

/// Ops of the same kind, all layers together: "h.*.mlp.c_fc".
struct Phase {
  std::string name;
  int ops = 0;
  std::uint64_t sent = 0;                                        ///< messages of the plan's streams
  std::uint64_t weights = 0;                                     ///< parameters among them
  std::uint64_t returned = 0;                                    ///< words of all outlets
  std::uint64_t beats = 0;                                       ///< beats of the vector unit of the busiest row
  std::uint64_t cycles = 0;                                      ///< expected, after another op
  std::uint64_t rest = 0;                                        ///< added if the wafer rests before each op
  std::array<std::uint64_t, kBoundNames.size()> bound_cycles{};  ///< cycles of the ops with this bound

  void add(const Phase& op);
  /// The bound of most of its cycles, from kBoundNames.
  std::string_view bound() const;
};

/// Estimates the cycles of a plan's ops without running anything: needs no wafer, stream or parameters. The time grows
/// with the number of ops and, if there is a mask, with the number of weights.
///
/// The cycles of GEMMs and gradients are derived from the dependencies between messages, for a sample of the outputs.
/// The cost of any other op is that of its kernels, which are interpreted instruction by instruction for each kind of
/// row (host/planning/estimate). Ops of the same name in other layers cost the same if they are dense.
///
/// The bound of an op is its busiest resource:
/// - the vector unit of its busiest row;
/// - its busiest valve, which passes one message per cycle; commands pass all valves, weights that of their row;
/// - its busiest outlet, which passes one word per cycle;
/// - the ring of a GEMM: a column's sums of an output pass a link, one per cycle;
/// - a half of memory, which reads one operand per cycle, if it has more reads than the vector unit has beats: separate
///   reads then take cycles that beats could use;
/// or latency, if none of them is busy for two thirds of the op's cycles. `weft-bench estimate` compares the cycles
/// with the RTL's.
class CycleEstimate {
 public:
  /// `plan` must outlive this object.
  explicit CycleEstimate(const compiler::Plan& plan, Sample sample = {})
      : plan_(plan), sample_(sample), kernels_(plan) {}

  /// Cost of an op after an arbitrary other op.
  Phase of(const compiler::Op& op);
  /// Cost of an op after those of the previous calls: valves may have sent some of its messages ahead.
  Phase next(const compiler::Op& op);

 private:
  struct Known {
    Phase phase;
    double messages = 0;  ///< through the busiest valve
    double room = 0;      ///< number of messages that can be sent before the wafer takes any
    double fed = 0;       ///< cycles after a rest if each row had its own valve; at least those of the other resources
  };

  Known known(const compiler::Op& op);
  Known fresh(const compiler::Op& op);
  /// Key: kind_of_stream, and the positions of arrays that are read in pairs. Empty if no other op is known to cost the
  /// same.
  std::string kind_of(const compiler::Op& op) const;

  const compiler::Plan& plan_;
  const Sample sample_;
  KernelCosts kernels_;
  std::map<std::string, Known> known_;
  Prefetch prefetch_;
};

/// Arbitrary token ids for a micro-batch, [micro_batch][seq]: costs do not depend on them.
std::vector<TokenId> some_tokens(const compiler::ModelShape& model);

/// Estimates the phases of the whole micro-batch in the order of the plan; the first one is the tokens. Advances
/// `progress`, if given, with each op.
std::vector<Phase> estimate_phases(const compiler::Plan& plan, Sample sample = {},
                                   system::Progress* progress = nullptr);

/// Replaces the layer number: "h.*.ln_1" for "h.3.ln_1".
std::string of_all_layers(std::string name);

}  // namespace weft::planning
