/// vdot and vr: the gradient's dot products, reduced along the row, compared with the slow tile.
#include "tests/model/machine.hpp"

namespace weft::test {
namespace {

/// r1 x, r2 outputs, r3 dy, r5 the buffers; psum copies each output's dy into the buffers and reduces its slots.
constexpr std::string_view kGradient = R"(
start:  mvp   r1, r3
        mvp   r2, r2
        li    r6, 128           ; slots
        mvp   r5, r5
        mvp   r6, r6
        fork  psum
next:   .word VDOT
        dbnz  r2, next
        join
        halt
psum:   li    r3, VL_
        csrw  VL, r3
psum2:  vb    src=M[r1], dst=M[r5]
        addi  r1, r1, 4 * VL_
        vr    in=WEST, out=WEST, src=R[r6]
        dbnz  r2, psum2
        halt
)";

struct Case {
  int cols, vl;
  isa::ASel asel;
};

class Dot : public testing::TestWithParam<Case> {};

TEST_P(Dot, EqualsTheSlowEvaluationHoweverManyIndices) {
  const auto [cols, vl, asel] = GetParam();
  constexpr int kRows = 2, kFeatures = 8, kOutputs = 24;
  Machine machine({.rows = kRows, .cols = cols, .lanes = kLanes, .sram_kib = 8});
  Rng& rng = machine.rng;
  const int features = kFeatures * vl * kLanes, buffers = features + kOutputs * vl * kLanes;  // elements
  isa::Instr in;
  in.op = isa::Opcode::Vdot, in.asel = asel, in.ra = 1, in.rb = 5, in.rd = 6, in.rc = 7;
  const int group = rng.chance(30) ? 0 : 1 + static_cast<int>(rng.below(100));
  SlowTile::Operands o;
  o.vl = static_cast<std::uint16_t>(vl), o.sta = static_cast<std::uint16_t>(vl * kLanes), o.lmask = kFeatures - 1;

  std::array<std::vector<std::uint32_t>, kRows> expected;
  std::vector<machine::Message> stream;
  std::uint64_t beats = 0;
  const int most = group % 16 ? group % 16 : 16;
  for (int output = 0; output < kOutputs; ++output) {
    for (int row = 0; row < kRows; ++row) {
      constexpr int kCounts[] = {0, 1, 7, 15, 16, 17, 32, 33, 64};
      int n = kCounts[rng.below(std::size(kCounts))];
      beats += static_cast<std::uint64_t>(cols * (vl + n * vl));  // vb, vdot
      for (int left = n; left > 0; left -= most) {                // vr
        const int count = std::min(left, most);
        beats += static_cast<std::uint64_t>(cols * (count + (count + 1) / 2 * 2));
      }
      for (; n > 0; --n) {
        const auto index = static_cast<std::uint16_t>(row << 15 | rng.below(64));
        stream.push_back(machine::Message::weight(index, static_cast<std::uint16_t>(rng.next())));
        std::uint32_t sum = 0;
        for (int col = cols - 1; col >= 0; --col) {
          const SlowTile& tile = machine.tile(row, col);
          const std::uint32_t own = tile.dot(in, o, index, features + output * vl * kLanes);
          sum = col == cols - 1 ? own : model::add_bits(sum, own);
        }
        expected[row].push_back(sum);
      }
    }
    stream.push_back(machine::Message::command(machine::Command::CR, 0, 0));
  }

  const std::string setup = set("VL", vl) + set("STA", o.sta) + set("LMASK", o.lmask);
  machine.rig.load("begin:\n" + setup + std::string(kGradient),
                   {{"VL_", vl}, {"VDOT", static_cast<int>(isa::encode(in))}});
  machine.rig.reg(1, 0).reg(2, kOutputs).reg(3, features).reg(5, buffers);
  machine.rig.reg(7, static_cast<std::uint16_t>(group)).call("begin");
  machine.rig.pending.insert(machine.rig.pending.end(), stream.begin(), stream.end());
  machine.rig.go(rng.chance(50) ? 0 : 13);
  for (int row = 0; row < kRows; ++row) EXPECT_EQ(machine.rig.wafer->outlet(row), expected[row]) << "row " << row;
  EXPECT_EQ(machine.rig.wafer->flags(), "");
  const auto counted = machine.rig.wafer->counters();
  EXPECT_EQ(counted.fma_lanes, (stream.size() - kOutputs) * vl * kLanes * cols);
  EXPECT_EQ(counted.beats, beats);
}

INSTANTIATE_TEST_SUITE_P(Shapes, Dot,
                         testing::Values(Case{1, 1, isa::ASel::M}, Case{1, 8, isa::ASel::M}, Case{3, 5, isa::ASel::M},
                                         Case{4, 8, isa::ASel::M}, Case{9, 2, isa::ASel::M}, Case{4, 8, isa::ASel::OH},
                                         Case{3, 3, isa::ASel::OH}));

}  // namespace
}  // namespace weft::test
