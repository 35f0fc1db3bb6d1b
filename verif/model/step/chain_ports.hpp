/// Ports of lockstep columns: the neighbour chains RING, NORTH and WEST, and the rings of EAST
/// (docs/reference/message.md).
///
/// RING and NORTH are streams between rows, one for each column. WEST is a chain along the row, evaluated at once
/// (west.hpp). EAST is a stream from the row to itself: each column receives from its predecessor in the ring. A color
/// is used in lockstep only while every router on its chain has the chain's routes.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "isa_machine.hpp"
#include "verif/model/edge/west.hpp"
#include "verif/model/machine/place.hpp"
#include "verif/model/machine/ports.hpp"

namespace weft::model {

class ChainPorts;

/// The rows of a slice, and the number of rows whose routers lack RING's chain, or NORTH's.
struct Chains {
  int no_ring = 0, no_north = 0;
  std::vector<ChainPorts*> rows;
};

class ChainPorts final : public Ports {
 public:
  /// `chains`, which must outlive the ports, is shared by all rows of the slice, which must be created from north to
  /// south.
  ChainPorts(const Place& place, Chains& chains);

  /// Drops all words and restores the routes after a reset.
  void clear();

  Routes routes_of(int col) const override;
  bool set_route(const Route& route, int first, int last) override;
  void send(int color, const std::uint32_t* words, int beats, int k) override;
  West* along_row(int color) override { return color == kWest && west_fits_ ? &west : nullptr; }

  /// Messages of W reach each column of the row exactly once.
  bool w_reaches_all() const;
  /// The column that sends EAST's words to column `col` of the wafer. Requires EAST's routes to be rings.
  int before(int col) const {
    return place_.columns.first + before_[static_cast<std::size_t>(col - place_.columns.first)];
  }

  Stream ring, north, east;  ///< incoming words of this row
  West west;

 private:
  static constexpr int kW = static_cast<int>(isa::Color::W);
  static constexpr int kRing = static_cast<int>(isa::Color::Ring);
  static constexpr int kNorth = static_cast<int>(isa::Color::North);
  static constexpr int kWest = static_cast<int>(isa::Color::West);
  static constexpr int kEast = static_cast<int>(isa::Color::East);

  Outcome may_send(int color) override;
  Stream* queue_of_one(int) override { return nullptr; }
  void reset_w();
  void compare();
  void compare_east();
  void connect();

  const Place place_;
  Chains& chains_;
  /// Output ports of W in a column, by input side.
  struct FromBothSides {
    std::uint8_t west, east;
  };
  /// Output ports of EAST in a column, by input port.
  struct FromAll {
    std::array<std::uint8_t, kPorts> at{};
  };
  Routes routes_;                 ///< routes of every column, except those of W and EAST
  std::vector<FromBothSides> w_;  ///< [column of the wafer]
  std::vector<FromAll> east_;     ///< [column of the wafer]
  std::vector<int> before_;       ///< [column of the slice]: predecessor in its ring; empty: EAST's routes are no rings
  bool ring_fits_ = false, north_fits_ = false, west_fits_ = false;
};

}  // namespace weft::model
