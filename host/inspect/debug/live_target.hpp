/// Debugger target that runs a workload from a phase on, bit-exactly, forwards and backwards.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host/inspect/debug/target.hpp"
#include "host/inspect/debug/workload.hpp"
#include "verif/wafer.hpp"

namespace weft::inspect::debug {

/// Runs phases one after the other; the wafer is at rest between them. Time is counted in the wafer's own unit (cycles
/// or moves). Execution is deterministic, so rewinding re-executes from the last snapshot before the target time.
class LiveTarget : public Target {
 public:
  /// Executes one unit. Returns false if the last phase has ended and nothing moves any more. Throws WaferHang.
  bool advance();
  /// Units executed since the start.
  std::uint64_t time() const { return time_; }
  /// Restores the state after `time` units. `time` must be at most time().
  void rewind(std::uint64_t time);

  const Workload& workload() const { return *workload_; }
  const machine::WaferShape& shape() const { return workload_->shape(); }
  /// Number of the phase whose messages were queued last.
  std::size_t phase() const { return phase_; }
  const std::string& phase_name() const { return workload_->name(phase_); }

  /// Asked from time to time by interrupted(); empty: never.
  void ask(std::function<bool()> interrupted) { ask_ = std::move(interrupted); }
  /// True if the user wants the current command to end. Rewinding ends early then.
  bool interrupted() const;

  /// Name of a unit: "cycle" or "move".
  virtual std::string_view unit() const = 0;
  /// Hint for the user who asked for the other wafer's unit.
  virtual std::string other_unit_hint() const = 0;

  // The following functions describe the last unit.

  /// Tiles in which something may have happened: a superset of those in which something did.
  virtual std::span<const sim::TilePlace> touched_tiles() const = 0;
  /// Instruction at which the thread has just arrived, if any.
  virtual std::optional<unsigned> arrives(sim::TilePlace tile, bool psum) const = 0;
  /// True if the thread issued at least one beat.
  virtual bool issues(sim::TilePlace tile, bool psum) const = 0;
  /// For example "gets PSUM 1.75": a message of the color that entered or left the PE. Empty if none did.
  virtual std::string passes(sim::TilePlace tile, unsigned color) const = 0;
  /// For example "writes 1.75 to M[0x120]": a write to an element of first..last. Empty if there was none.
  virtual std::string writes(sim::TilePlace tile, unsigned first, unsigned last) const = 0;
  /// Sticky flags after the last unit.
  virtual std::uint8_t flags(sim::TilePlace tile) const = 0;

  Names names(sim::TilePlace tile) const override { return workload_->names(tile); }
  std::string now() const override;
  std::string report() const override;
  LiveTarget& live(const std::string&) override { return *this; }

 protected:
  explicit LiveTarget(std::unique_ptr<const Workload> workload);
  /// Must be called when the derived object is complete. `states`: those before phase `first`, [row * cols + col].
  void start(std::vector<machine::TileState> states, std::size_t first);

  const std::vector<sim::TilePlace>& tiles() const { return tiles_; }
  std::size_t index(sim::TilePlace tile) const { return static_cast<std::size_t>(tile.row * shape().cols + tile.col); }

  /// Loads the program and sets the tiles to `states`, [tile], with nothing in flight or executed yet.
  virtual void set_states(const std::vector<machine::TileState>& states) = 0;
  virtual void queue(std::span<const machine::Message> messages) = 0;
  /// Executes one unit. Returns false if nothing moves.
  virtual bool move() = 0;
  /// Throws WaferHang if the wafer is not at rest.
  virtual void settle() = 0;

 private:
  struct Rest {
    std::size_t phase = 0;                   // the next one
    std::vector<machine::TileState> states;  // [tile]
  };

  void go_on_from(const Rest& rest);
  void begin(std::size_t phase);
  void rest();

  const std::unique_ptr<const Workload> workload_;
  std::function<bool()> ask_;
  std::vector<sim::TilePlace> tiles_;
  std::map<std::uint64_t, Rest> rests_;  // snapshots by time
  std::uint64_t time_ = 0;
  std::size_t phase_ = 0;
  std::shared_ptr<const machine::HangSnapshot> hang_;
};

}  // namespace weft::inspect::debug
