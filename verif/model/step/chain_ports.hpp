/// The ports of columns in step: the neighbour chains RING, NORTH and WEST (docs/message.md).
///
/// RING and NORTH are streams between rows, a column's own in each. WEST is a chain along the row, which is worked out
/// at once (west.hpp). A color is used in step only while every router that its chain passes has the chain's routes.
#pragma once

#include <array>
#include <cstdint>

#include "isa.hpp"
#include "verif/model/machine/place.hpp"
#include "verif/model/machine/ports.hpp"
#include "verif/model/step/west.hpp"

namespace weft::model {

/// Rows of a slice whose routers do not have RING's chain, and NORTH's.
struct Chains {
  int no_ring = 0, no_north = 0;
};

class ChainPorts final : public Ports {
 public:
  /// `chains`, which must outlive it, is shared by all rows of the slice.
  ChainPorts(const Place& place, Chains& chains);

  /// The rows that RING and NORTH lead to; null: none.
  void connect(ChainPorts* ring, ChainPorts* north) {
    ring_out_ = ring ? &ring->ring : nullptr;
    north_out_ = north ? &north->north : nullptr;
  }
  void clear();

  const Routes& routes() const override { return routes_; }
  bool set_route(const Route& route) override;

  Stream* in(int color) override;
  Outcome can_send(int color) override;
  std::uint32_t* room_to_send(int color, const Stream* from, int beats, int k) override;
  void send(int color, const std::uint32_t* words, int beats, int k) override;
  West* along_row(int color) override { return color == kWest && west_fits_ ? &west : nullptr; }

  /// Of one of the columns.
  Routes routes_of(int col) const;

  Stream ring, north;  ///< towards this row
  West west;

 private:
  static constexpr int kRing = static_cast<int>(isa::Color::Ring);
  static constexpr int kNorth = static_cast<int>(isa::Color::North);
  static constexpr int kWest = static_cast<int>(isa::Color::West);

  void compare();
  Stream* out(int color) const { return color == kRing ? ring_out_ : color == kNorth ? north_out_ : nullptr; }

  const Place place_;
  Chains& chains_;
  Routes routes_;  ///< of every column, but that W ends in the last one
  bool ring_fits_ = false, north_fits_ = false, west_fits_ = false;
  Stream *ring_out_ = nullptr, *north_out_ = nullptr;
};

}  // namespace weft::model
