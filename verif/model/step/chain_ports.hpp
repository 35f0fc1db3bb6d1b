/// The ports of columns in step: the neighbour chains RING, NORTH and WEST (docs/message.md).
///
/// RING and NORTH are streams between rows, a column's own in each. WEST is a chain along the row, which is worked out
/// at once (west.hpp). A color is used in step only while every router that its chain passes has the chain's routes.
#pragma once

#include <cstdint>
#include <vector>

#include "isa.hpp"
#include "verif/model/machine/place.hpp"
#include "verif/model/machine/ports.hpp"
#include "verif/model/step/west.hpp"

namespace weft::model {

class ChainPorts;

/// The rows of a slice, and how many have routers without RING's chain, and NORTH's.
struct Chains {
  int no_ring = 0, no_north = 0;
  std::vector<ChainPorts*> rows;
};

class ChainPorts final : public Ports {
 public:
  /// `chains`, which must outlive it, is shared by all rows of the slice, which are made from north to south.
  ChainPorts(const Place& place, Chains& chains);

  /// No words, and the routes after a reset.
  void clear();

  Routes routes_of(int col) const override;
  bool set_route(const Route& route, int first, int last) override;
  void send(int color, const std::uint32_t* words, int beats, int k) override;
  West* along_row(int color) override { return color == kWest && west_fits_ ? &west : nullptr; }

  /// Messages of W come to each column of the row once.
  bool w_reaches_all() const;

  Stream ring, north;  ///< towards this row
  West west;

 private:
  static constexpr int kW = static_cast<int>(isa::Color::W);
  static constexpr int kRing = static_cast<int>(isa::Color::Ring);
  static constexpr int kNorth = static_cast<int>(isa::Color::North);
  static constexpr int kWest = static_cast<int>(isa::Color::West);

  Outcome may_send(int color) override;
  Stream* queue_of_one(int) override { return nullptr; }
  void reset_w();
  void compare();
  void connect();

  const Place place_;
  Chains& chains_;
  /// Of W in a column, by whence they come.
  struct FromBothSides {
    std::uint8_t west, east;
  };
  Routes routes_;                 ///< of every column, but of W
  std::vector<FromBothSides> w_;  ///< [column of the wafer]
  bool ring_fits_ = false, north_fits_ = false, west_fits_ = false;
};

}  // namespace weft::model
