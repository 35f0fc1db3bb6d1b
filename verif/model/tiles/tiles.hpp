/// The wafer tile by tile: every tile is a machine of its own, and its messages follow the routes.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sw/machine/message.hpp"
#include "verif/model/pe.hpp"
#include "verif/model/step/slice.hpp"
#include "verif/model/tiles/mesh.hpp"
#include "verif/model/tiles/tile_ports.hpp"

namespace weft::model {

class Slices;

class Tiles {
 public:
  /// Goes on where columns in step are, which have come to rest. `outlets` must outlive it.
  Tiles(const WaferShape& shape, const Slices& slices, Outlets& outlets);

  /// Takes messages, and runs until nothing moves. After it threw only reset() may be called.
  void feed(std::span<const Message> messages);
  /// The host has all that came so far: from now on others may send to an outlet, and W takes the routes as they are.
  void waited();
  /// As Wafer::reset(), but for the outlets.
  void reset();

  const Pe& pe(int row, int col) const { return tiles_.at(static_cast<std::size_t>(row * shape_.cols + col))->pe; }
  const Intake& intake() const { return intake_; }

 private:
  struct Tile {
    Tile(const Place& place, Mesh& mesh, TileIndex index) : ports(mesh, index), pe(place, ports, 0) {}
    TilePorts ports;
    Pe pe;
    Sender w_sender;  ///< of what waits on W
  };

  Tile& tile(TileIndex i) { return *tiles_[static_cast<std::size_t>(i)]; }
  void take(Tile& to, TileIndex i, const Slice::Row& from);
  void distribute(std::span<const Message> messages);
  void enter(int row, const Message& m);
  void run();

  const WaferShape shape_;
  Intake intake_;
  Mesh mesh_;
  std::vector<std::unique_ptr<Tile>> tiles_;
  std::vector<std::optional<Path>> w_from_;  ///< [row], of W; as when the first message came after the host had waited
};

}  // namespace weft::model
