/// Debugger target that runs the RTL from a phase on, cycle by cycle.
#pragma once

#include <memory>
#include <vector>

#include "host/inspect/debug/live_target.hpp"
#include "sw/compiler/plan/plan.hpp"
#include "verif/sim/clocked_wafer.hpp"

namespace weft::inspect::debug {

class RtlTarget final : public LiveTarget, private sim::TileWatch {
 public:
  /// Runs `workload` on `rtl` from `states` on, those before its first phase, [row * cols + col].
  RtlTarget(std::unique_ptr<const Workload> workload, std::vector<machine::TileState> states,
            std::unique_ptr<sim::ClockedWafer> rtl);
  /// Takes the state before the first cycle of phase `first`: the state that the functional model reaches there. `plan`
  /// and `parameters` must outlive this object.
  RtlTarget(const compiler::Plan& plan, std::span<const float> parameters, std::span<const machine::Message> tokens,
            std::size_t first, int model_threads);
  ~RtlTarget() override;

  /// Activity of a tile in the last cycle.
  const sim::TileView& view(sim::TilePlace tile) const { return views_[index(tile)]; }

  std::string_view unit() const override { return "cycle"; }
  std::string other_unit_hint() const override { return "the RTL has cycles: cycle N"; }
  std::span<const sim::TilePlace> touched_tiles() const override { return tiles(); }
  std::optional<unsigned> arrives(sim::TilePlace tile, bool psum) const override;
  bool issues(sim::TilePlace tile, bool psum) const override { return thread_view(tile, psum).issues; }
  std::string passes(sim::TilePlace tile, unsigned color) const override;
  std::string writes(sim::TilePlace tile, unsigned first, unsigned last) const override;
  std::uint8_t flags(sim::TilePlace tile) const override { return view(tile).flags; }
  machine::TileState state(sim::TilePlace tile) const override { return rtl_->state(tile.row, tile.col); }
  machine::HangSnapshot hang_snapshot() const override { return *rtl_->hang_snapshot("looked at"); }
  ThreadPlace thread(sim::TilePlace tile, bool psum) const override;

 private:
  struct Follow {
    struct Thread {
      unsigned state = 0, pc = 0, sequenced = 0;  // sequenced: the instruction last issued to the sequencer
    } thread[2];
  };

  void observe(std::uint64_t cycle, std::size_t n, const sim::TileView& view) override;
  void set_states(const std::vector<machine::TileState>& states) override;
  void queue(std::span<const machine::Message> messages) override { rtl_->queue(messages); }
  bool move() override;
  void settle() override { rtl_->settle(); }
  const sim::ThreadView& thread_view(sim::TilePlace tile, bool psum) const {
    return psum ? view(tile).psum : view(tile).main;
  }

  std::unique_ptr<sim::ClockedWafer> rtl_;
  std::vector<sim::TileView> views_;
  std::vector<Follow> follow_;
};

}  // namespace weft::inspect::debug
