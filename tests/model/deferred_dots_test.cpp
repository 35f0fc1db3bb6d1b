/// Deferred dot products in lockstep, compared with individual tiles, which defer nothing.
#include <array>

#include "tests/model/both.hpp"
#include "tests/model/slow_tile.hpp"
#include "tests/random.hpp"

namespace weft::test {
namespace deferred_dots_test {
namespace {

/// r1 outputs: deltas are at r3, then r3 + 4 * VL_, and so on; indices name features at r2, in groups of r7.
constexpr std::string_view kGradient = R"(
start:  li    r4, VL_
        csrw  VL, r4
        li    r4, 4 * VL_
        csrw  STA, r4
        li    r4, 63
        csrw  LMASK, r4
        li    r5, 100           ; slots
        mvp   r1, r1
        mvp   r3, r3
        mvp   r5, r5
        mvp   r6, r6
        fork  psum
next:   vdot  R[r5], M[r2], M[r6], r7
        dbnz  r1, next
        join
        halt
psum:   li    r4, VL_
        csrw  VL, r4
psum2:  vb    src=M[r3], dst=M[r6]
        addi  r3, r3, 4 * VL_
        vr    in=WEST, out=WEST, src=R[r5]
        dbnz  r1, psum2
        halt
; One output, whose sums nobody takes, but that main stores its slots at r8.
left:   li    r4, VL_
        csrw  VL, r4
        li    r4, 4 * VL_
        csrw  STA, r4
        li    r4, 63
        csrw  LMASK, r4
        li    r5, 100
        mvp   r3, r3
        mvp   r6, r6
        fork  left2
        vdot  R[r5], M[r2], M[r6], r7
        join
        li    r4, 1
        csrw  REP, r4
        li    r4, 16
        csrw  VL, r4
        li    r15, bf16(1)
        vf.fma M[r8], S[r15], R[r5], Z
        halt
left2:  li    r4, VL_
        csrw  VL, r4
        vb    src=M[r3], dst=M[r6]
        halt
)";

class DeferredDotsTest : public testing::Test {
 protected:
  int upto(int n) { return 1 + static_cast<int>(rng.below(static_cast<std::uint32_t>(n))); }

  void fill(model::Rig& rig, const std::vector<std::vector<std::uint16_t>>& memory) const {
    for (int row = 0; row < shape.rows; ++row)
      for (int col = 0; col < shape.cols; ++col)
        rig.store(row, col, 0, memory[static_cast<std::size_t>(row * shape.cols + col)]);
  }
  std::vector<std::vector<std::uint16_t>> any_memory(int elements) {
    std::vector<std::vector<std::uint16_t>> memory(static_cast<std::size_t>(shape.rows * shape.cols));
    for (auto& of_tile : memory)
      for (int i = 0; i < elements; ++i) of_tile.push_back(any_bf16(rng));
    return memory;
  }

  /// Indices, the same for most outputs. The first two features are the delta buffers: an output may index its own,
  /// which is overwritten by the deltas of the output after next.
  std::vector<machine::Message> indices(int outputs, int features) {
    std::vector<int> common;
    for (int f = 2; f < features; ++f)
      if (rng.chance(80)) common.push_back(f);
    const std::uint32_t ragged = rng.chance(50) ? 0 : 30;
    const bool own_deltas = rng.chance(50);
    std::vector<machine::Message> messages;
    for (int o = 0; o < outputs; ++o) {
      for (int row = 0; row < shape.rows; ++row) {
        std::vector<int> own = common;
        if (rng.chance(ragged) && rng.chance(30)) own.clear();
        if (rng.chance(ragged)) own.push_back(1 + upto(features));
        if (own_deltas) own.push_back(o % 2);
        for (const int f : own)
          messages.push_back(machine::Message::weight(static_cast<std::uint16_t>(row << 15 | f), 0));
      }
      messages.push_back(machine::Message::command(machine::Command::CR, 0, 0));
    }
    return messages;
  }

  void draw(int most_columns = 9) {
    shape.cols = upto(most_columns), beats = upto(12), features = upto(40), group = upto(16) & 15;
    memory = any_memory(62 * beats * kLanes);
  }
  model::Rig& arguments(model::Rig& rig, int outputs) const {
    return rig.reg(1, outputs).reg(2, 0).reg(3, 42 * beats * kLanes).reg(6, 0).reg(7, group);
  }

  void equals_those_made_at_once(int rounds, int most_columns) {
    for (int round = 0; round < rounds && !HasFailure(); ++round) {
      draw(most_columns);
      const int outputs = upto(19);
      const std::size_t cut = rng.chance(50) ? 0 : rng.below(200);
      SCOPED_TRACE(testing::Message() << shape.cols << " columns, " << beats << " beats, " << outputs << " outputs, "
                                      << features << " features, groups of " << group << ", cut " << cut);
      const auto stream = indices(outputs, features);
      model::in_both(shape, [&](model::Rig& rig) {
        rig.load(kGradient, {{"VL_", beats}});
        fill(rig, memory);
        arguments(rig, outputs).call("start").feed();
        rig.pending = stream;
        rig.go(cut);
      });
    }
  }

  int beats = 1, features = 1, group = 0;
  std::vector<std::vector<std::uint16_t>> memory;
  machine::WaferShape shape{.rows = 2, .cols = 3, .lanes = kLanes, .sram_kib = 16};
  Rng rng{test_seed()};
};

TEST_F(DeferredDotsTest, EqualsThoseMadeAtOnce) { equals_those_made_at_once(80, 9); }

TEST_F(DeferredDotsTest, EqualsThoseMadeAtOnceInASingleColumn) { equals_those_made_at_once(80, 1); }

TEST_F(DeferredDotsTest, AreThereForWhoReadsThemAndGoneAfterACall) {
  for (int round = 0; round < 10 && !HasFailure(); ++round) {
    draw();
    features = upto(16), group = 0;
    const auto one = indices(1, features), five = indices(5, features);
    model::in_both(shape, [&](model::Rig& rig) {
      rig.load(kGradient, {{"VL_", beats}});
      fill(rig, memory);
      arguments(rig, 1).reg(8, 62 * beats * kLanes).call("left");
      rig.pending.insert(rig.pending.end(), one.begin(), one.end());
      arguments(rig, 5).call("start");
      rig.pending.insert(rig.pending.end(), five.begin(), five.end());
      rig.go();
    });
  }
}

TEST_F(DeferredDotsTest, VectorsMayGrowFromCallToCall) {
  draw();
  memory = any_memory(62 * 12 * kLanes);
  std::vector<std::vector<machine::Message>> streams;
  for (int call = 0; call < 3; ++call) streams.push_back(indices(11, features));
  model::in_both(shape, [&](model::Rig& rig) {
    for (std::size_t call = 0; call < streams.size(); ++call) {
      constexpr std::array kBeats{2, 12, 5};
      rig.load(kGradient, {{"VL_", kBeats[call]}});
      fill(rig, memory);
      rig.reg(1, 11).reg(2, 0).reg(3, 42 * kBeats[call] * kLanes).reg(6, 0).reg(7, group).call("start").feed();
      rig.pending = streams[call];
      rig.go();
    }
  });
}

/// Adds vectors at r2 to four sets of accumulators, which psum stores.
constexpr std::string_view kProducts = R"(
start:  li    r4, 3
        csrw  VL, r4
        csrw  STR, r4
        li    r4, 4
        csrw  REP, r4
        li    r4, 1
        csrw  STB, r4
        li    r5, 100
        mvp   r5, r5
        mvp   r6, r6
        vf.fma R[r5], M[r2], MS[r3], Z
        addi  r2, r2, 12
        addi  r3, r3, 5
        vf.fma R[r5], M[r2], MS[r3], R[r5]
        addi  r2, r2, 12
        vf.fma R[r5], M[r2], MS[r3], R[r5]
        beq   r6, r0, end
        fork  psum
        join
end:    halt
psum:   li    r4, 12
        csrw  VL, r4
        vs.mov own=R[r5], dst=M[r6]
        halt
)";

TEST_F(DeferredDotsTest, ProductsAreThereForPsum) {
  const auto own = any_memory(200);
  model::in_both(shape, [&](model::Rig& rig) {
    rig.load(kProducts);
    fill(rig, own);
    rig.reg(2, 0).reg(3, 60).reg(6, 400).call("start").go();
  });
}

TEST_F(DeferredDotsTest, ProductsAreMadeBeforeTheHostWritesWhatTheyAreMadeOf) {
  const auto own = any_memory(200), other = any_memory(200);
  model::in_both(shape, [&](model::Rig& rig) {
    rig.load(kProducts);
    fill(rig, own);
    rig.reg(2, 0).reg(3, 60).reg(6, 0).call("start");
    fill(rig, other);
    rig.go();
  });
}

TEST_F(DeferredDotsTest, SlicesOfColumnsEqualTheWhole) {
  draw();
  shape.cols = 5, memory = any_memory(62 * beats * kLanes);
  const auto stream = indices(11, features);
  model::Rig whole(shape), slices(shape, 3);
  for (model::Rig* rig : {&whole, &slices}) {
    rig->load(kGradient, {{"VL_", beats}});
    fill(*rig, memory);
    arguments(*rig, 11).call("start");
    rig->pending.insert(rig->pending.end(), stream.begin(), stream.end());
    rig->go();
  }
  model::Snapshot(*whole.wafer).expect(model::Snapshot(*slices.wafer));
}

}  // namespace
}  // namespace deferred_dots_test
}  // namespace weft::test
