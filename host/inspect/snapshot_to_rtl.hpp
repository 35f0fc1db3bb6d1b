/// Time travel: the functional model runs a micro-batch up to a phase, and the RTL continues from there.
///
/// ```
/// model   load, tokens, phases ... ──► at rest ── phase ──► at rest
///                                        │ state              ▲
/// RTL     load ── settle ────────────────▼────── phase ──► compared
/// ```
/// All tiles are at rest between phases, so the contents of the tiles (sw/machine/state.hpp) are the whole state.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sw/compiler/plan/plan.hpp"
#include "verif/sim/clocked_wafer.hpp"

namespace weft::inspect {

/// Number of the phase of this name, an op of the plan. The name may be a former one
/// (sw/network/former_phase_names.hpp). Throws Refusal of `--phase`, with the nearest names.
std::size_t find_phase(const compiler::Plan& plan, const std::string& name);
/// A line that names the plan's own name of a phase that find_phase() found under `name`; empty if `name` is its own.
std::string note_other_name(const compiler::Plan& plan, std::size_t phase, const std::string& name);

/// Addresses of the kernels that the messages call.
std::vector<unsigned> calls_of(std::span<const machine::Message> messages);

class SnapshotToRtl {
 public:
  /// Runs the model up to phase `phase` of a micro-batch and puts the RTL into the same state. `plan` and `parameters`
  /// must outlive this object. Throws std::logic_error if the RTL has not taken the state.
  SnapshotToRtl(const compiler::Plan& plan, std::span<const float> parameters, std::span<const machine::Message> tokens,
                std::size_t phase, int model_threads);

  sim::ClockedWafer& rtl() { return *rtl_; }
  Wafer& model() { return *model_; }
  /// Messages of the phase.
  const std::vector<machine::Message>& messages() const { return messages_; }

  struct Result {
    std::uint64_t cycles = 0;    ///< cycles of the RTL
    std::uint64_t returned = 0;  ///< words, of all rows
    std::string difference;      ///< between the RTL and the model afterwards; empty if there is none
  };
  /// Runs the phase on both. May be called once.
  Result run();

 private:
  const compiler::Plan& plan_;
  std::vector<machine::Message> messages_;
  std::unique_ptr<Wafer> model_;
  std::unique_ptr<sim::ClockedWafer> rtl_;
  std::vector<machine::TileState> before_;  // counters of the model's tiles
};

}  // namespace weft::inspect
