/// What a tile's wires say in one cycle, just before the clock edge that ends it: what traces show.
#pragma once

#include <array>
#include <cstdint>

namespace weft {

/// Of the widest tile that can be built.
inline constexpr int kMostLanes = 16;

/// A link, or the ramp between router and PE, of one port; messages are 38 bits {ctrl, color, data}.
struct PortView {
  bool in_valid = false, out_valid = false;  ///< into the router, out of it
  std::uint64_t in = 0, out = 0;
  std::uint32_t in_credit = 0, out_credit = 0;  ///< by color
};

struct ThreadView {
  unsigned state = 0;      ///< state_e of rtl/pe/pe_scalar_pkg.sv
  unsigned pc = 0;         ///< the instruction the core is at
  unsigned sequencer = 0;  ///< main_state_e or psum_state_e of rtl/pe/pe_seq_pkg.sv; 0: it has nothing to do
  int cause = -1;          ///< isa::Cause: what it does or waits for; -1 if this simulator does not count
  bool issues = false;     ///< a beat of it goes into the vector unit
};

struct TileView {
  std::array<PortView, 5> ports;  ///< N E S W RAMP; into the RAMP: from the PE
  ThreadView main, psum;
  unsigned mp = 0, pm = 0;  ///< entries of the handoff queues

  // The beat that is issued: what it reads.
  bool reads_m = false, reads_b = false, reads_c = false;
  std::uint16_t m = 0;            ///< element of SRAM
  std::uint8_t r_b = 0, r_c = 0;  ///< entries of R

  // A cycle later: bf16 operands by lane, or two fp32 words in the place of a.
  bool operands = false, words = false, only_c = false;
  std::array<std::uint16_t, kMostLanes> a{}, b{};
  std::array<std::uint32_t, 2> x{};

  // What is written in this cycle, by lane; `r_lanes`, `m_lanes`: which.
  unsigned r_lanes = 0, m_lanes = 0;
  std::uint8_t r_entry = 0;
  std::uint16_t m_element = 0;
  std::array<std::uint32_t, kMostLanes> r_value{};  ///< fp32
  std::array<std::uint16_t, kMostLanes> m_value{};  ///< bf16

  std::uint8_t flags = 0;  ///< sticky, bit by isa::Flag
  bool awake = false;      ///< awake_o of rtl/tile.sv
};

/// Somebody who looks at tiles.
class TileWatch {
 public:
  virtual ~TileWatch() = default;
  /// The n-th of the tiles that are watched, in a cycle; asked for every cycle in which the clock runs.
  virtual void look(std::uint64_t cycle, std::size_t n, const TileView& view) = 0;
};

/// A tile's place.
struct TilePlace {
  int row = 0, col = 0;
  friend bool operator==(const TilePlace&, const TilePlace&) = default;
};

}  // namespace weft
