/// The wafer tile by tile: every tile is an independent machine, and its messages follow the routes.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sw/machine/message.hpp"
#include "verif/model/machine/moved.hpp"
#include "verif/model/pe/pe.hpp"
#include "verif/model/step/slice.hpp"
#include "verif/model/tiles/bounded_fabric.hpp"
#include "verif/model/tiles/mesh.hpp"
#include "verif/model/tiles/tile_ports.hpp"

namespace weft::model {

class Slices;

class Tiles {
 public:
  /// Continues from lockstep columns at rest. `outlets` must outlive the tiles. `depth`: messages that a link buffers
  /// for each color (bounded_fabric.hpp), which requires that the columns have not run anything yet; 0: unbounded.
  Tiles(const machine::WaferShape& shape, const Slices& slices, Outlets& outlets, int depth = 0);

  /// Accepts messages and runs until nothing moves. After an exception only reset() may be called.
  void feed(std::span<const machine::Message> messages);

  /// Accepts messages as feed(), but runs nothing: move() does.
  void queue(std::span<const machine::Message> messages);
  /// Executes one move, in the order of feed(), described in `moved`. Returns false if nothing can move.
  bool move(ModelMove& moved);
  /// Sets a tile's state. All tiles must rest, with no messages in flight.
  void set_state(int row, int col, const machine::TileState& state);

  /// The host has received all words so far: from now on other senders may use an outlet, and W follows the current
  /// routes.
  void waited();
  /// As Wafer::reset(), except for the outlets.
  void reset();
  /// As Wafer::count_progress().
  void count_progress(std::atomic<std::uint64_t>& count) { progress_ = &count; }
  /// As ModelWafer::pause(); `between` must outlive this object.
  void pause(const std::function<void()>& between) { between_ = &between; }

  const Pe& pe(int row, int col) const { return tiles_.at(static_cast<std::size_t>(row * shape_.cols + col))->pe; }
  const Intake& intake() const { return intake_; }
  /// The host's messages have all entered the wafer.
  bool fed() const { return !bounded_fabric_ || bounded_fabric_->fed(); }
  /// Adds the messages waiting in the fabric, if it has buffers.
  void show(machine::HangSnapshot& s) const {
    if (bounded_fabric_) bounded_fabric_->show(s);
  }

 private:
  static constexpr std::size_t kPortion = 4096;  ///< messages at once, as in lockstep
  struct Telling;
  struct Tile {
    Tile(const Place& place, Mesh& mesh, Scratch& scratch, TileIndex index)
        : ports(mesh, index), pe(place, ports, scratch, 0) {}
    TilePorts ports;
    Pe pe;
    Sender w_sender;  ///< sender of the messages waiting on W
  };

  Tile& tile(TileIndex i) { return *tiles_[static_cast<std::size_t>(i)]; }
  void take(Tile& to, TileIndex i, const Slice::Row& from);
  void distribute(std::span<const machine::Message> messages);
  void inject(int row, const machine::Message& m);
  void run();
  void run_bounded();
  void run(TileIndex i);
  bool move_tile(TileIndex i, ModelMove& moved);
  bool move_messages(ModelMove& moved);
  void hand_to_bounded_fabric(std::span<const machine::Message> messages);

  const machine::WaferShape shape_;
  Intake intake_;
  Mesh mesh_;
  std::unique_ptr<BoundedFabric> bounded_fabric_;  ///< null: unbounded
  Scratch scratch_;
  std::atomic<std::uint64_t>* progress_ = nullptr;
  const std::function<void()>* between_ = nullptr;
  std::vector<std::unique_ptr<Tile>> tiles_;
  /// State of move().
  struct {
    std::deque<machine::Message> queued;
    std::size_t next = 0;          ///< index of the next woken tile
    bool begun = false;            ///< that tile has been tried
    std::vector<TileIndex> alone;  ///< tiles that send without a route, one after the other
  } moves_;
  std::vector<std::optional<Path>> w_from_;  ///< [row]: path of W, fixed at the first message after a wait of the host
};

}  // namespace weft::model
