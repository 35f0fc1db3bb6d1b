/// Additional interface of the functional model for tests and debuggers.
#pragma once

#include <functional>

#include "verif/model/machine/moved.hpp"
#include "verif/wafer.hpp"

namespace weft::model {

/// The type behind make_model_wafer().
class ModelWafer : public Wafer {
 public:
  /// True while rows run in lockstep; otherwise every tile is independent. Waits as `counters` does.
  virtual bool in_lockstep() const = 0;
  /// Switches to independent tiles from here on, as if the program required it.
  virtual void leave_lockstep() = 0;

  /// From now on `between` is called from time to time in the caller's thread while the wafer runs, between the work of
  /// two tiles, or of two rows in lockstep; empty: no longer. It must not call the wafer. It may throw; reset() must
  /// come next then. Does nothing on a wafer with several threads.
  virtual void pause(std::function<void()> between) = 0;

  // Single moves, tile by tile, for a debugger: leave_lockstep() must come first.

  /// Sets a tile's state. All tiles must rest, with no messages in flight.
  virtual void set_state(int row, int col, const machine::TileState& state) = 0;
  /// As feed(), but runs nothing: move() does. From here to a reset, tiles can be read after an error, too.
  virtual void queue(std::span<const machine::Message> messages) = 0;
  /// Executes one instruction of one thread, one command, or as much of a vector instruction as words allow, in the
  /// order of feed(); if no tile can execute any, messages move on. Returns false if nothing can move.
  virtual bool move(ModelMove& moved) = 0;
  /// A tile's sticky flags.
  virtual std::uint8_t tile_flags(int row, int col) const = 0;
  /// Snapshot of the wafer in its current state, which need not be at rest; `why` is the reason for taking it.
  virtual std::shared_ptr<const machine::HangSnapshot> hang_snapshot(const std::string& why) const = 0;
};

/// As make_model_wafer(), with one thread, for inspection.
std::unique_ptr<ModelWafer> make_model_to_look_at(const machine::WaferShape& shape, int depth);

}  // namespace weft::model
