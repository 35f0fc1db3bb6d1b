/// Outputs whose sums are computed ahead, several at a time, compared with a wafer that gets its messages one by one
/// and therefore computes each in order.
#include "tests/model/both.hpp"
#include "tests/model/slow_tile.hpp"
#include "tests/random.hpp"

namespace weft::test {
namespace {

/// r1 outputs of the features at r2, stored consecutively at r3.
constexpr std::string_view kStart = R"(
start:  li    r4, VL_
        csrw  VL, r4
        li    r4, 4 * VL_
        csrw  STA, r4
        li    r4, 63
        csrw  LMASK, r4
        li    r4, 1
        csrw  REP, r4
        li    r5, 200
        li    r15, bf16(1)
)";
/// psum stores the outputs, from the rotating buffers that vaxs fills.
constexpr std::string_view kInTurn = R"(
        mvp   r1, r1
        mvp   r3, r3
        mvp   r5, r5
        fork  psum
next:   vaxs  Q[r5], M[r2], put
        dbnz  r1, next
        join
        halt
psum:   li    r4, VL_
        csrw  VL, r4
psum2:  vs.mov own=Q[r5], dst=M[r3]
        addi  r3, r3, 4 * VL_
        dbnz  r1, psum2
        halt
)";
/// Like kInTurn, with two vaxs per output, so r1 is even.
constexpr std::string_view kTwoStreams = R"(
        shr   r1, r1, 1
        mvp   r1, r1
        mvp   r3, r3
        mvp   r5, r5
        fork  psum
next:   vaxs  Q[r5], M[r2]
        vaxs  Q[r5], M[r2], put
        dbnz  r1, next
        join
        halt
psum:   li    r4, VL_
        csrw  VL, r4
psum2:  vs.mov own=Q[r5], dst=M[r3]
        addi  r3, r3, 4 * VL_
        dbnz  r1, psum2
        halt
)";
/// main stores the outputs itself, between two vaxs.
constexpr std::string_view kAlone = R"(
next:   vaxs  R[r5], M[r2]
        vf.fma M[r3], S[r15], R[r5], Z
        addi  r3, r3, 4 * VL_
        vf.fma R[r5], S[r0], S[r0], Z
        dbnz  r1, next
        halt
)";
/// Like kAlone, but each output starts from the previous one's accumulator.
constexpr std::string_view kOnAndOn = R"(
next:   vaxs  R[r5], M[r2]
        vf.fma M[r3], S[r15], R[r5], Z
        addi  r3, r3, 4 * VL_
        dbnz  r1, next
        halt
)";

/// Every output has its own features.
constexpr std::string_view kOtherFeatures = R"(
next:   vaxs  R[r5], M[r2]
        addi  r2, r2, 4 * VL_
        vf.fma M[r3], S[r15], R[r5], Z
        addi  r3, r3, 4 * VL_
        vf.fma R[r5], S[r0], S[r0], Z
        dbnz  r1, next
        halt
)";

class PrecomputedSumsTest : public testing::Test {
 protected:
  int upto(int n) { return 1 + static_cast<int>(rng.below(static_cast<std::uint32_t>(n))); }

  /// Weights of a row's outputs; most outputs use the same features.
  std::vector<machine::Message> stream() {
    std::vector<int> common[kRows];
    for (auto& of_row : common)
      for (int f = 0; f < features; ++f)
        if (rng.chance(80)) of_row.push_back(f);
    const std::uint32_t ragged = rng.chance(50) ? 0 : 25;  // percentage of outputs with other features
    std::vector<machine::Message> messages;
    for (int o = 0; o < outputs; ++o) {
      for (int row = 0; row < kRows; ++row) {
        std::vector<int> own = common[row];
        if (rng.chance(ragged)) {
          if (rng.chance(20)) own.clear();
          if (rng.chance(20) && !own.empty()) own[rng.below(static_cast<std::uint32_t>(own.size()))] = 0;
          if (rng.chance(80)) own.push_back(upto(features) - 1);
        }
        for (const int f : own)
          messages.push_back(machine::Message::weight(static_cast<std::uint16_t>(row << 15 | f), any_bf16(rng)));
      }
      messages.push_back(machine::Message::command(machine::Command::CR, 0, 0));
    }
    return messages;
  }

  /// Compares both wafers, with features from address x on and outputs from y on.
  void equal(std::string_view program, int x, int y) {
    SCOPED_TRACE(testing::Message() << cols << " columns, " << beats << " beats, " << outputs << " outputs, "
                                    << features << " features");
    const machine::WaferShape shape{.rows = kRows, .cols = cols, .lanes = kLanes, .sram_kib = kKib};
    model::Rig together(shape), apart(shape);
    const std::vector<machine::Message> weights = stream();
    std::vector<std::uint16_t> memory[kRows * 9];
    for (auto& of_tile : memory)
      for (int i = 0; i < shape.sram_elements() / 2; ++i) of_tile.push_back(any_bf16(rng));
    for (model::Rig* rig : {&together, &apart}) {
      rig->load(std::string(kStart) + std::string(program), {{"VL_", beats}});
      for (int row = 0; row < kRows; ++row)
        for (int col = 0; col < cols; ++col) rig->store(row, col, 0, memory[row * cols + col]);
      rig->reg(1, outputs).reg(2, x).reg(3, y).call("start").feed();
      rig->pending = weights;
    }
    together.go();
    apart.go(1);
    model::Snapshot(*together.wafer).expect(model::Snapshot(*apart.wafer));
  }

  /// Compares many shapes; x and y in units of vectors.
  void equal_in_many_shapes(std::string_view program, int x, int y) {
    for (int round = 0; round < 40 && !HasFailure(); ++round) {
      cols = upto(9), beats = upto(12), outputs = 1 + upto(21), features = upto(40);
      if (program == kTwoStreams) outputs &= ~1;
      equal(program, x * beats * kLanes, y * beats * kLanes);
    }
  }

  static constexpr int kRows = 2, kKib = 16;
  int cols = 3, beats = 5, outputs = 9, features = 12;
  Rng rng{test_seed()};
};

TEST_F(PrecomputedSumsTest, EqualsOutputsMadeInTheirTurn) { equal_in_many_shapes(kInTurn, 0, 41); }

TEST_F(PrecomputedSumsTest, EqualsOutputsOfTwoStreams) { equal_in_many_shapes(kTwoStreams, 0, 41); }

TEST_F(PrecomputedSumsTest, EqualsOutputsThatMainStores) { equal_in_many_shapes(kAlone, 0, 41); }

TEST_F(PrecomputedSumsTest, AFeatureThatIsWrittenMeanwhileIsSeen) { equal_in_many_shapes(kAlone, 0, 0); }

TEST_F(PrecomputedSumsTest, AccumulatorsThatAreNotZeroGoOn) { equal_in_many_shapes(kOnAndOn, 0, 41); }

TEST_F(PrecomputedSumsTest, OutputsOfOtherFeaturesAreMadeInTheirTurn) { equal_in_many_shapes(kOtherFeatures, 0, 61); }

TEST_F(PrecomputedSumsTest, FeaturesBehindTheEndOfMemoryAreFlagged) {
  for (int round = 0; round < 5; ++round) equal(kAlone, kKib * 512 - 6 * beats * kLanes, 0);
}

TEST_F(PrecomputedSumsTest, FeaturesThatAreNotAlignedAreFlagged) {
  for (int round = 0; round < 5; ++round) equal(kAlone, 1, 41 * beats * kLanes);
}

}  // namespace
}  // namespace weft::test
