/// Cycles of a tile by stall reason between two MARKs (docs/explanation/stalls.md).
#pragma once

#include <array>
#include <cstdint>
#include <iterator>
#include <vector>

#include "isa_machine.hpp"

namespace weft::sim {

inline constexpr int kThreads = 2;  ///< main, psum
inline constexpr int kStallReasons = static_cast<int>(std::size(isa::kStallNames));

struct StallRecord {
  int row = 0, col = 0;
  std::uint16_t tag = 0;             ///< value of the MARK that ended the record
  bool overflow = false;             ///< some count did not fit: all counts are unreliable
  std::uint64_t begin = 0, end = 0;  ///< cycles of the wafer's clock; the MARK was taken in cycle end - 1
  std::array<std::array<std::uint32_t, kStallReasons>, kThreads> counts{};  ///< cycles, [thread][isa::StallReason]

  std::uint32_t count(int thread, isa::StallReason reason) const {
    return counts[static_cast<std::size_t>(thread)][static_cast<std::size_t>(reason)];
  }
  std::uint64_t cycles() const { return end - begin; }
  friend bool operator==(const StallRecord&, const StallRecord&) = default;
};

using StallLog = std::vector<StallRecord>;

/// Accesses tally_t of rtl/pe/weft_pe_pkg.sv in Verilator's form: three words, psum's count in the lowest.
template <class Port>
bool is_fresh_stall_record(const Port& port) {
  return port[2] >> 17 & 1;
}

/// Reads the record of rtl/pe/weft_pe_perf.sv; `at(reason)` returns tally_t for that reason. Place and cycles are left
/// 0.
template <class At>
StallRecord read_stalls(At at) {
  StallRecord r;
  for (unsigned reason = 0; reason < kStallReasons; ++reason) {
    const auto& port = at(reason);
    r.tag = static_cast<std::uint16_t>(port[2]);
    r.overflow = port[2] >> 16 & 1;
    r.counts[0][reason] = port[1];
    r.counts[1][reason] = port[0];
  }
  return r;
}

/// Start and end of a tile's records.
struct StallTimes {
  std::uint64_t open = 0;            ///< start of the record being counted
  std::uint64_t begin = 0, end = 0;  ///< bounds of the last record

  /// Must be called when the record appears at clock edge number `edge`, counted from 1: its MARK was taken at the edge
  /// before.
  void latched(std::uint64_t edge) {
    begin = open;
    open = end = edge - 1;
  }
};

}  // namespace weft::sim
