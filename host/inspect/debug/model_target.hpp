/// Debugger target that runs the functional model from a phase on, move by move.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "host/inspect/debug/live_target.hpp"
#include "sw/compiler/plan/plan.hpp"
#include "verif/model/model_wafer.hpp"

namespace weft::inspect::debug {

/// A move is one instruction of one thread, one command, or as much of a vector instruction as the available words
/// allow, in the order in which the model runs the tiles one by one. If no tile can execute, a move transfers messages.
class ModelTarget final : public LiveTarget {
 public:
  /// Runs `workload` from `states` on, those before its first phase, [row * cols + col].
  ModelTarget(std::unique_ptr<const Workload> workload, std::vector<machine::TileState> states, int depth);
  /// Takes the state before the first move of phase `first`. `depth` as for make_model_wafer(). `plan` and `parameters`
  /// must outlive this object.
  ModelTarget(const compiler::Plan& plan, std::span<const float> parameters, std::span<const machine::Message> tokens,
              std::size_t first, int model_threads, int depth);

  std::string_view unit() const override { return "move"; }
  std::string other_unit_hint() const override {
    return "the model has no cycles: move N counts moves of all tiles; step and beat count those of this thread";
  }
  std::span<const sim::TilePlace> touched_tiles() const override { return touched_; }
  std::optional<unsigned> arrives(sim::TilePlace tile, bool psum) const override;
  bool issues(sim::TilePlace tile, bool psum) const override;
  std::string passes(sim::TilePlace tile, unsigned color) const override;
  std::string writes(sim::TilePlace tile, unsigned first, unsigned last) const override;
  std::uint8_t flags(sim::TilePlace tile) const override { return model_->tile_flags(tile.row, tile.col); }
  machine::TileState state(sim::TilePlace tile) const override { return model_->state(tile.row, tile.col); }
  machine::HangSnapshot hang_snapshot() const override { return shown(); }
  ThreadPlace thread(sim::TilePlace tile, bool psum) const override;

 private:
  ModelTarget(std::unique_ptr<const Workload> workload, int depth);
  void set_states(const std::vector<machine::TileState>& states) override;
  void queue(std::span<const machine::Message> messages) override { model_->queue(messages); }
  bool move() override;
  void settle() override { model_->settle(); }
  bool did(sim::TilePlace tile, bool psum) const;
  const machine::HangSnapshot& shown() const;

  std::unique_ptr<model::ModelWafer> model_;
  model::ModelMove moved_;
  std::vector<sim::TilePlace> touched_;
  // current state, computed on demand; null if not requested yet
  mutable std::shared_ptr<const machine::HangSnapshot> shown_;
};

}  // namespace weft::inspect::debug
