/// The wafer tile by tile: every tile is a machine of its own, and its messages follow the routes.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sw/machine/message.hpp"
#include "verif/model/moved.hpp"
#include "verif/model/pe.hpp"
#include "verif/model/step/slice.hpp"
#include "verif/model/tiles/hops.hpp"
#include "verif/model/tiles/mesh.hpp"
#include "verif/model/tiles/tile_ports.hpp"

namespace weft::model {

class Slices;

class Tiles {
 public:
  /// Goes on where columns in step are, which have come to rest. `outlets` must outlive it. `depth`: messages a link
  /// buffers for each color (hops.hpp), then the columns have run nothing yet; 0: without a bound.
  Tiles(const WaferShape& shape, const Slices& slices, Outlets& outlets, int depth = 0);

  /// Takes messages, and runs until nothing moves. After it threw only reset() may be called.
  void feed(std::span<const Message> messages);

  /// Takes messages as feed(), but nothing runs: move() does.
  void queue(std::span<const Message> messages);
  /// One move, in the order in which feed() runs tiles. False: nothing moves any more. `moved` gets what it was.
  bool move(ModelMove& moved);
  /// A tile becomes what `state` says. All rest, and nothing is under way.
  void put(int row, int col, const TileState& state);

  /// The host has all that came so far: from now on others may send to an outlet, and W takes the routes as they are.
  void waited();
  /// As Wafer::reset(), but for the outlets.
  void reset();
  /// As Wafer::count_progress().
  void count_progress(std::atomic<std::uint64_t>& count) { progress_ = &count; }

  const Pe& pe(int row, int col) const { return tiles_.at(static_cast<std::size_t>(row * shape_.cols + col))->pe; }
  const Intake& intake() const { return intake_; }
  /// The host has sent everything.
  bool fed() const { return !hops_ || hops_->fed(); }
  /// Adds what waits in the fabric, if it has buffers.
  void show(Standstill& s) const {
    if (hops_) hops_->show(s);
  }

 private:
  static constexpr std::size_t kPortion = 4096;  ///< messages at once, as in step
  struct Telling;
  struct Tile {
    Tile(const Place& place, Mesh& mesh, Scratch& scratch, TileIndex index)
        : ports(mesh, index), pe(place, ports, scratch, 0) {}
    TilePorts ports;
    Pe pe;
    Sender w_sender;  ///< of what waits on W
  };

  Tile& tile(TileIndex i) { return *tiles_[static_cast<std::size_t>(i)]; }
  void take(Tile& to, TileIndex i, const Slice::Row& from);
  void distribute(std::span<const Message> messages);
  void enter(int row, const Message& m);
  void run();
  void run_bounded();
  void run(TileIndex i);
  bool move_tile(TileIndex i, ModelMove& moved);
  bool move_messages(ModelMove& moved);
  void hand_to_hops(std::span<const Message> messages);

  const WaferShape shape_;
  Intake intake_;
  Mesh mesh_;
  std::unique_ptr<Hops> hops_;  ///< null: no bound
  Scratch scratch_;
  std::atomic<std::uint64_t>* progress_ = nullptr;
  std::vector<std::unique_ptr<Tile>> tiles_;
  /// Of move().
  struct {
    std::deque<Message> queued;
    std::size_t next = 0;          ///< of the tiles that are woken
    bool begun = false;            ///< that one has been asked
    std::vector<TileIndex> alone;  ///< tiles that do without a route, one after the other
  } moves_;
  std::vector<std::optional<Path>> w_from_;  ///< [row], of W; as when the first message came after the host had waited
};

}  // namespace weft::model
