/// vf in all its forms against the slow tile.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/model/rig.hpp"
#include "tests/model/slow_tile.hpp"
#include "tests/random.hpp"

namespace weft {
namespace {

using isa::ASel;
using isa::BSel;
using isa::CSel;
using isa::DSel;
using test::kLanes;
using test::SlowTile;

constexpr WaferShape kShape{.rows = 1, .cols = 3, .lanes = kLanes, .sram_kib = 1};

/// Sends all of R to the outlet.
constexpr std::string_view kDump = R"(
        halt
dump:   fork  dump2
        join
        halt
dump2:  li    r1, 256
        csrw  VL, r1
        vs.mov own=R[r0], out=WEST, gather
        halt
)";

class Vf : public testing::Test {
 protected:
  Vf() : dice(test::test_seed()), rig(kShape), tiles(kShape.cols) {
    for (SlowTile& tile : tiles) tile.m.resize(kShape.sram_elements());
    for (int address = 0; address < kShape.sram_elements(); address += 64) refresh(address);
  }

  /// New contents, or NaNs would take over in the end.
  void refresh(int address) {
    for (int col = 0; col < kShape.cols; ++col) {
      std::vector<std::uint16_t> fresh(64);
      for (auto& e : fresh) e = dice.chance(5) ? static_cast<std::uint16_t>(dice.below(4)) : test::any_bf16(dice);
      std::copy(fresh.begin(), fresh.end(), tiles[col].m.begin() + address);
      rig.store(0, col, address, fresh);
    }
  }

  std::uint16_t aligned(int limit) { return static_cast<std::uint16_t>(dice.below(limit / kLanes + 1) * kLanes); }

  /// Operands that stay in memory, often so that they overlap.
  SlowTile::Operands operands(const isa::Instr& in) {
    SlowTile::Operands o;
    const int elements = kShape.sram_elements();
    o.vl = static_cast<std::uint16_t>(1 + dice.below(24));
    o.rep = static_cast<std::uint16_t>(dice.below(5));
    o.sta = aligned(24), o.std = aligned(24), o.stb = static_cast<std::uint16_t>(dice.below(24));
    o.idx = static_cast<std::uint16_t>(dice.below(4));
    const int size = o.vl * kLanes, room = elements - size - 4 * 24;
    o.ra = in.asel == ASel::S ? test::any_bf16(dice) : aligned(room);
    o.rb = in.bsel == BSel::S ? test::any_bf16(dice) : static_cast<std::uint16_t>(dice.below(256));
    o.rc = in.csel == CSel::S ? test::any_bf16(dice) : static_cast<std::uint16_t>(dice.below(256));
    o.rd = in.dsel == DSel::M ? aligned(room) : static_cast<std::uint16_t>(dice.below(256));
    if (dice.chance(50)) {  // near what it reads
      const int near = static_cast<int>(dice.below(7)) - 3;
      if (in.dsel == DSel::R && in.csel == CSel::R) o.rd = static_cast<std::uint16_t>((o.rc + near) & 255);
      if (in.dsel == DSel::R && in.bsel == BSel::R) o.rd = static_cast<std::uint16_t>((o.rb + near) & 255);
      if (in.dsel == DSel::M && in.asel != ASel::S)
        o.rd = static_cast<std::uint16_t>(std::clamp(o.ra + near * kLanes, 0, room / kLanes * kLanes));
    }
    return o;
  }

  void step(isa::Instr in) {
    in.op = isa::Op::Vf;
    in.rd = 1, in.ra = 2, in.rb = 3, in.rc = 4;
    refresh(static_cast<int>(64 * dice.below(8)));
    const SlowTile::Operands o = operands(in);
    const std::pair<const char*, int> csrs[] = {{"VL", o.vl},   {"REP", o.rep}, {"STA", o.sta},
                                                {"STB", o.stb}, {"STD", o.std}, {"IDX", o.idx}};
    std::string source = "start:\n";
    for (const auto& [name, value] : csrs)
      source += "li r5, " + std::to_string(value) + "\ncsrw " + name + ", r5\n";
    source += ".word " + std::to_string(isa::encode(in)) + "\n" + std::string(kDump);
    rig.load(source).reg(1, o.rd).reg(2, o.ra).reg(3, o.rb).reg(4, o.rc).call("start").call("dump").go();
    for (SlowTile& tile : tiles) tile.vf(in, o);
    compare(in, o);
  }

  void compare(const isa::Instr& in, const SlowTile::Operands& o) {
    const std::string what = disassemble(isa::encode(in)) + " rd " + std::to_string(o.rd) + " ra " +
                             std::to_string(o.ra) + " rb " + std::to_string(o.rb) + " rc " + std::to_string(o.rc) +
                             " VL " + std::to_string(o.vl) + " REP " + std::to_string(o.rep);
    auto& words = rig.wafer->outlet(0);
    std::size_t at = 0;
    for (int col = 0; col < kShape.cols; ++col) {
      ASSERT_EQ(rig.wafer->sram(0, col), tiles[col].m) << what << ", column " << col;
      for (int entry = 0; entry < 256; ++entry)
        for (int l = 0; l < kLanes; ++l)
          ASSERT_EQ(words.at(at++), tiles[col].r[entry][l]) << what << ", column " << col << " R[" << entry << "] " << l;
    }
    words.clear();
    ASSERT_EQ(rig.wafer->flags(), "");
  }

  test::Dice dice;
  Rig rig;
  std::vector<SlowTile> tiles;
};

TEST_F(Vf, EveryFormEqualsTheSlowEvaluation) {
  for (int round = 0; round < 4; ++round)
    for (int fn = 0; fn < 8; ++fn)
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 4; ++b)
          for (int c = 0; c < 4; ++c)
            for (int d = 0; d < 2; ++d) {
              isa::Instr in;
              in.fn = static_cast<isa::Fn>(fn), in.asel = static_cast<ASel>(a), in.bsel = static_cast<BSel>(b);
              in.csel = static_cast<CSel>(c), in.dsel = static_cast<DSel>(d);
              step(in);
              if (HasFatalFailure()) return;
            }
}

}  // namespace
}  // namespace weft
