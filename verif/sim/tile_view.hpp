/// Signals of a tile in one cycle, just before the clock edge that ends it, for traces.
#pragma once

#include <array>
#include <cstdint>

namespace weft::sim {

/// Lanes of the widest tile that can be built.
inline constexpr int kMostLanes = 16;

/// A link of one port, or the ramp between router and PE; messages are 38 bits {ctrl, color, data}.
struct PortView {
  bool in_valid = false, out_valid = false;  ///< into the router, and out of it
  std::uint64_t in = 0, out = 0;
  std::uint32_t in_credit = 0, out_credit = 0;  ///< a bit per color
};

struct ThreadView {
  unsigned state = 0;      ///< state_e of rtl/pe/weft_pe_scalar_pkg.sv
  unsigned pc = 0;         ///< address of the core's current instruction
  unsigned sequencer = 0;  ///< main_state_e or psum_state_e of rtl/pe/weft_pe_seq_pkg.sv; 0: idle
  int stall = -1;  ///< isa::StallReason: the thread's activity or stall reason; -1 if this simulator does not count
  bool issues = false;  ///< it issues a beat to the vector unit
};

struct TileView {
  std::array<PortView, 5> ports;  ///< N E S W RAMP; input of RAMP: from the PE
  ThreadView main, psum;
  unsigned mp = 0, pm = 0;  ///< entries in the handoff queues

  // The issued beat: its reads.
  bool reads_m = false, reads_b = false, reads_c = false;
  std::uint16_t m = 0;            ///< element address in SRAM
  std::uint8_t r_b = 0, r_c = 0;  ///< entries of R

  // The operands, a cycle later: bf16 operands by lane, or two fp32 words in place of a.
  bool operands = false, words = false, only_c = false;
  std::array<std::uint16_t, kMostLanes> a{}, b{};
  std::array<std::uint32_t, 2> x{};

  // Writes in this cycle, by lane; `r_lanes` and `m_lanes` are masks of the lanes written.
  unsigned r_lanes = 0, m_lanes = 0;
  std::uint8_t r_entry = 0;
  std::uint16_t m_element = 0;
  std::array<std::uint32_t, kMostLanes> r_value{};  ///< fp32
  std::array<std::uint16_t, kMostLanes> m_value{};  ///< bf16

  std::uint8_t flags = 0;  ///< sticky, a bit per isa::Flag
  bool awake = false;      ///< awake_o of rtl/weft_tile.sv
};

/// Observer of tiles.
class TileWatch {
 public:
  virtual ~TileWatch() = default;
  /// Called in every clock cycle for each watched tile; n is its position in the list of watched tiles.
  virtual void observe(std::uint64_t cycle, std::size_t n, const TileView& view) = 0;
};

/// Position of a tile.
struct TilePlace {
  int row = 0, col = 0;
  friend bool operator==(const TilePlace&, const TilePlace&) = default;
};

}  // namespace weft::sim
