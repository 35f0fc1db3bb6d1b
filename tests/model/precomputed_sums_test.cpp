/// Outputs whose sums are computed ahead, several at a time, compared with a wafer that gets its messages one by one
/// and therefore computes each in order.
#include <algorithm>

#include "tests/model/both.hpp"
#include "tests/model/in_runs.hpp"
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

/// Like kInTurn, but the rows add their sums up from row 0 to the last row, which stores the outputs. `add_up` is
/// main's loop.
std::string over_rows(std::string_view add_up) {
  return R"(
        li    r7, 100
        mvp   r1, r1
        mvp   r3, r3
        mvp   r5, r5
        fork  psum
next:
)" + std::string(add_up) +
         R"(
        dbnz  r1, next
        join
        halt
psum:   li    r4, VL_
        csrw  VL, r4
        csrr  r6, ROW
        csrr  r7, ROWS
        addi  r8, r6, 1
        beq   r8, r7, last
        beq   r6, r0, first
middle: vs.add in=RING, own=Q[r5], out=RING
        dbnz  r1, middle
        halt
first:  vs.mov own=Q[r5], out=RING
        dbnz  r1, first
        halt
last:   beq   r6, r0, alone
home:   vs.add in=RING, own=Q[r5], dst=M[r3]
        addi  r3, r3, 4 * VL_
        dbnz  r1, home
        halt
alone:  vs.mov own=Q[r5], dst=M[r3]
        addi  r3, r3, 4 * VL_
        dbnz  r1, alone
        halt
)";
}
constexpr std::string_view kPut = "        vaxs  Q[r5], M[r2], put\n";
constexpr std::string_view kMoved = "        vaxs  R[r7], M[r2]\n        vcr   R[r5], R[r7]\n";
/// Loops of kPut and kMoved for interleaved outputs, whose vectors have STR_ + 1 beats.
constexpr std::string_view kInterleavedPut = R"(
        li    r4, STR_
        csrw  STR, r4
        vaxs  Q[r5], M[r2], put, interleave
)";
constexpr std::string_view kInterleavedMoved = R"(
        li    r4, STR_
        csrw  STR, r4
        vaxs  R[r7], M[r2], interleave
        vcr   R[r5], R[r7]
)";

class PrecomputedSumsTest : public testing::Test {
 protected:
  int upto(int n) { return 1 + static_cast<int>(rng.below(static_cast<std::uint32_t>(n))); }

  /// Weights of a row's outputs; most outputs use the same features.
  std::vector<machine::Message> stream() {
    std::vector<std::vector<int>> common(static_cast<std::size_t>(rows));
    for (auto& of_row : common)
      for (int f = 0; f < features; ++f)
        if (rng.chance(80)) of_row.push_back(f);
    const std::uint32_t ragged = rng.chance(50) ? 0 : 25;  // percentage of outputs with other features
    std::vector<machine::Message> messages;
    for (int o = 0; o < outputs; ++o) {
      for (int row = 0; row < rows; ++row) {
        std::vector<int> own = common[static_cast<std::size_t>(row)];
        if (rng.chance(ragged)) {
          if (rng.chance(20)) own.clear();
          if (rng.chance(20) && !own.empty()) own[rng.below(static_cast<std::uint32_t>(own.size()))] = 0;
          if (rng.chance(80)) own.push_back(upto(features) - 1);
        }
        for (const int f : own)
          for (int k = 0; k < each; ++k)
            messages.push_back(
                machine::Message::weight(static_cast<std::uint16_t>(row << shape().row_shift() | f), any_bf16(rng)));
      }
      messages.push_back(machine::Message::command(machine::Command::CR, 0, 0));
    }
    return messages;
  }

  /// Compares both wafers, with features from address x on and outputs from y on.
  void equal(std::string_view program, int x, int y) {
    SCOPED_TRACE(testing::Message() << rows << " rows, " << cols << " columns, " << beats << " beats, " << outputs
                                    << " outputs, " << features << " features");
    model::Rig together(shape()), apart(shape());
    const std::vector<machine::Message> weights = stream();
    std::vector<std::vector<std::uint16_t>> memory(static_cast<std::size_t>(rows * cols));
    for (auto& of_tile : memory)
      for (int i = 0; i < shape().sram_elements() / 2; ++i) of_tile.push_back(any_bf16(rng));
    for (model::Rig* rig : {&together, &apart}) {
      rig->load(std::string(kStart) + std::string(program), {{"VL_", beats}, {"STR_", vector - 1}});
      for (int row = 0; row < rows; ++row)
        for (int col = 0; col < cols; ++col)
          rig->store(row, col, 0, memory[static_cast<std::size_t>(row * cols + col)]);
      rig->reg(1, outputs).reg(2, x).reg(3, y).call("start").feed();
    }
    const model::InRuns runs(weights, [this](int most) { return static_cast<std::size_t>(upto(most)); });
    together.wafer->feed_piece(runs.piece);
    together.wafer->settle();
    apart.pending = weights;
    apart.go(1);
    model::Snapshot(*together.wafer).expect(model::Snapshot(*apart.wafer));
  }

  /// Compares many shapes; x and y in units of vectors.
  void equal_in_many_shapes(std::string_view program, int x, int y, int rounds = 40) {
    for (int round = 0; round < rounds && !HasFailure(); ++round) {
      cols = upto(9), beats = upto(12), outputs = 1 + upto(21), features = upto(40);
      if (program == kTwoStreams) outputs &= ~1;
      vector = upto(3);
      each = program.find("interleave") != program.npos ? std::max(1, beats / vector) : 1;
      features = std::max(1, features / each);
      equal(program, x * beats * kLanes, y * beats * kLanes);
    }
  }

  machine::WaferShape shape() const { return {.rows = rows, .cols = cols, .lanes = kLanes, .sram_kib = kKib}; }

  static constexpr int kKib = 16;
  int rows = 2, cols = 3, beats = 5, outputs = 9, features = 12;
  int each = 1, vector = 1;  ///< interleaved outputs: weights in turn for each feature, and beats of each
  Rng rng{test_seed()};
};

TEST_F(PrecomputedSumsTest, EqualsOutputsMadeInTheirTurn) { equal_in_many_shapes(kInTurn, 0, 41); }

TEST_F(PrecomputedSumsTest, EqualsOutputsThatRowsAddUp) {
  for (const std::string_view add_up : {kPut, kMoved, kInterleavedPut, kInterleavedMoved})
    for (rows = 1; rows <= 5; ++rows) {
      SCOPED_TRACE(add_up);
      equal_in_many_shapes(over_rows(add_up), 0, 41, 10);
    }
}

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
