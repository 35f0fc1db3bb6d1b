/// What tests may ask of the functional model, besides what every wafer says.
#pragma once

#include "verif/model/moved.hpp"
#include "verif/wafer.hpp"

namespace weft {

/// What make_model_wafer() makes.
class ModelWafer : public Wafer {
 public:
  /// Rows still run in step; if not, every tile is on its own. Waits as `counters` does.
  virtual bool in_step() const = 0;
  /// Makes every tile go on on its own from here, as if the program asked for it.
  virtual void leave_step() = 0;

  // Move by move, tile by tile, for a debugger: leave_step() comes first.

  /// Makes a tile what `state` says. All of them rest, and nothing is under way.
  virtual void put(int row, int col, const TileState& state) = 0;
  /// As feed(), but nothing runs: move() does. From here to a reset tiles can be looked at after an error, too.
  virtual void queue(std::span<const Message> messages) = 0;
  /// One instruction of one thread, one command, or as much of a vector instruction as words allow, in the order in
  /// which feed() would have done them; where no tile can do any, messages move on. False: nothing can.
  virtual bool move(ModelMove& moved) = 0;
  /// A tile's sticky flags.
  virtual std::uint8_t tile_flags(int row, int col) const = 0;
  /// The wafer as it is now, though it may not stand still; `why` is what it is asked for.
  virtual std::shared_ptr<const Standstill> standstill(const std::string& why) const = 0;
};

/// As make_model_wafer(), with one thread, for whoever looks inside.
std::unique_ptr<ModelWafer> make_model_to_look_at(const WaferShape& shape, int depth);

}  // namespace weft
