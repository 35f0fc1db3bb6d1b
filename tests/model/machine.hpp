/// A model wafer with a slow tile for each of its PEs, and a comparison of all their state.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/model/rig.hpp"
#include "tests/model/slow_tile.hpp"
#include "tests/random.hpp"

namespace weft::test {

/// Code that sends all of R to the outlet.
inline constexpr std::string_view kDump = R"(
        halt
dump:   fork  dump2
        join
        halt
dump2:  li    r1, 256
        csrw  VL, r1
        vs.mov own=R[r0], out=WEST, gather
        halt
)";

struct Machine {
  explicit Machine(const machine::WaferShape& s) : shape(s), rig(s), tiles(s.rows * s.cols) {
    for (SlowTile& tile : tiles) tile.m.resize(shape.sram_elements());
    for (int address = 0; address < shape.sram_elements(); address += kFresh) refresh(address);
  }

  SlowTile& tile(int row, int col) { return tiles[row * shape.cols + col]; }

  /// Writes kFresh new elements, of all kinds of bf16 and small integers, into every PE.
  void refresh(int address) {
    for (int row = 0; row < shape.rows; ++row)
      for (int col = 0; col < shape.cols; ++col) {
        std::vector<std::uint16_t> fresh(kFresh);
        for (auto& e : fresh) e = rng.chance(5) ? static_cast<std::uint16_t>(rng.below(4)) : any_bf16(rng);
        std::copy(fresh.begin(), fresh.end(), tile(row, col).m.begin() + address);
        rig.store(row, col, address, fresh);
      }
  }
  void refresh() { refresh(static_cast<int>(rng.below(shape.sram_elements() / kFresh) * kFresh)); }

  /// Loads `source`, runs it from label `start`, and compares the states. kDump is appended to the source.
  void run(const std::string& source, const std::string& what) {
    rig.load(source + std::string(kDump)).call("start").go();
    compare(what);
  }

  void compare(const std::string& what) {
    for (int row = 0; row < shape.rows; ++row) rig.wafer->outlet(row).clear();
    rig.call("dump").go();
    for (int row = 0; row < shape.rows; ++row) {
      const auto& words = rig.wafer->outlet(row);
      std::size_t at = 0;
      for (int col = 0; col < shape.cols; ++col) {
        const std::string place = what + ", row " + std::to_string(row) + " column " + std::to_string(col);
        ASSERT_EQ(rig.wafer->sram(row, col), tile(row, col).m) << place;
        for (int entry = 0; entry < 256; ++entry)
          for (int l = 0; l < kLanes; ++l)
            ASSERT_EQ(words.at(at++), tile(row, col).r[entry][l]) << place << " R[" << entry << "] lane " << l;
      }
    }
    ASSERT_EQ(rig.wafer->flags(), "");
  }

  static constexpr int kFresh = 64;
  machine::WaferShape shape;
  Rng rng{test_seed()};
  model::Rig rig;
  std::vector<SlowTile> tiles;  ///< [row * cols + col]
};

inline std::string set(const char* csr, int value) {
  return "li r15, " + std::to_string(value) + "\ncsrw " + csr + ", r15\n";
}
inline std::string li(int reg, int value) { return "li r" + std::to_string(reg) + ", " + std::to_string(value) + "\n"; }
inline std::string word(const isa::Instr& in) { return ".word " + std::to_string(isa::encode(in)) + "\n"; }

}  // namespace weft::test
