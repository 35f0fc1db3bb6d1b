/// A wafer whose columns several threads share has the bits of one thread's, and finds the same wrong.
#include <algorithm>

#include "tests/model/gemm.hpp"
#include "tests/random.hpp"

namespace weft {
namespace {

constexpr WaferShape kShape{.rows = 3, .cols = 5, .sram_kib = 8};
const std::vector<int> kThreads{2, 3, 4, 5, 9};

/// The words of all outlets, the memories, the counters and the flags.
struct State {
  explicit State(Wafer& wafer) : counters(wafer.counters()), row_beats(wafer.row_beats()), flags(wafer.flags()) {
    for (int row = 0; row < wafer.shape().rows; ++row) {
      outlets.push_back(wafer.outlet(row));
      for (int col = 0; col < wafer.shape().cols; ++col) memories.push_back(wafer.sram(row, col));
    }
  }
  void expect(const State& other) const {
    EXPECT_EQ(outlets, other.outlets);
    EXPECT_EQ(memories, other.memories);
    EXPECT_EQ(row_beats, other.row_beats);
    EXPECT_EQ(flags, other.flags);
    EXPECT_EQ(counters.beats, other.counters.beats);
    EXPECT_EQ(counters.fma_lanes, other.counters.fma_lanes);
    EXPECT_EQ(counters.edge_messages, other.counters.edge_messages);
  }

  std::vector<std::vector<std::uint32_t>> outlets;
  std::vector<std::vector<std::uint16_t>> memories;
  WaferCounters counters;
  std::vector<std::uint64_t> row_beats;
  std::string flags;
};

template <class Work>
void expect_same(const Work& work) {
  Rig one(kShape);
  work(one);
  const State expected(*one.wafer);
  for (const int threads : kThreads) {
    SCOPED_TRACE(threads);
    Rig many(kShape, threads);
    work(many);
    expected.expect(State(*many.wafer));
  }
}

TEST(Threads, AGemm) {
  const Gemm gemm(kShape, 16, 20, 33, 0.7, 1);
  expect_same([&](Rig& rig) {
    gemm.load(rig);
    rig.go();
    rig.pending = gemm.stream;
    rig.go(999);
    gemm.check(rig);
  });
}

// What each row of WordsThatGoWest sends: the status, a vector of each column, sums of dot products.
constexpr std::string_view kWest = R"(
main:   li   r1, 2
        csrw VL, r1
        li   r1, 1
        csrw REP, r1
        li   r1, 0x3f80
        vf.fma R[r0], M[r0], S[r1], Z
        li   r1, 64
        csrw STA, r1
        li   r1, 63
        csrw LMASK, r1
        li   r2, 32
        fork psum
        li   r3, 64
        vdot R[r3], M[r0], R[r2]
        join
        halt
psum:   rcv  r4, WEST
        snd  WEST, r4
        li   r1, 2
        csrw VL, r1
        vs.mov own=R[r0], out=WEST, gather
        li   r2, 32
        vb   src=M[r0], dst=R[r2]
        li   r3, 64
        vr   in=WEST, out=WEST, src=R[r3]
        halt
)";

TEST(Threads, WordsThatGoWest) {
  constexpr int kGathered = 2 * 4 * 5, kSums = 14, kFeatures = 4;
  expect_same([&](Rig& rig) {
    test::Dice dice(1);
    for (int row = 0; row < kShape.rows; ++row) {
      for (int col = 0; col < kShape.cols; ++col) {
        std::vector<std::uint16_t> x(kFeatures * 64);  // of sizes that make the order of sums show
        for (auto& e : x) e = static_cast<std::uint16_t>(dice.below(2) << 15 | (0x3c00 + dice.below(0x800)));
        x[0] = 0x2000;                           // dy of lane 0: 2^-63
        std::fill_n(x.begin() + 2 * 64, 64, 0);  // feature 2: a sum that is subnormal, so 0
        x[2 * 64] = col == 1 ? 0x2040 : col == 3 ? 0xa000 : 0;
        if (col == 2) x[3 * 64 + 5] = 0x7fc1;  // feature 3: NaN
        rig.store(row, col, 0, x);
      }
    }
    rig.load(kWest).call("main");
    for (int i = 0; i < 3 * kSums; ++i) rig.weight((i % 3) << 14 | i / 3 % kFeatures, 0);
    rig.cr().go();
    for (int row = 0; row < kShape.rows; ++row) {
      const auto& words = rig.wafer->outlet(row);
      ASSERT_EQ(words.size(), 1U + kGathered + kSums);
      EXPECT_EQ(std::ranges::count(words, 0U), 1 + kSums / kFeatures);  // the status, and feature 2
      EXPECT_EQ(words[1 + kGathered + 2], 0U);
      EXPECT_EQ(words[1 + kGathered + 3], kNan);
      EXPECT_NE(words[2], words[2 + kGathered / 5 * 4]);
    }
  });
}

TEST(Threads, AFlagOfOneColumnIsItsRows) {
  expect_same([](Rig& rig) {
    rig.store(1, 4, kShape.sram_elements(), {1}).go();
    rig.load("main: fork p\njoin\nhalt\np: rcv r2, WEST\ncsrr r1, FLAGS\nsnd WEST, r1\nhalt").call("main").go();
    EXPECT_EQ(rig.wafer->flags(), "row 1 BAD_ADDRESS");
    EXPECT_GT(rig.wafer->outlet(1).at(0), 0U);
  });
}

/// What a failed run says.
std::string failure(Rig& rig) {
  try {
    rig.go();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "nothing";
}

TEST(Threads, ColumnsOfTwoThreadsThatDiffer) {
  Rig ld(kShape, 2);
  for (const int col : {2, 3, 4}) ld.store(0, col, 8, {5});
  ld.load("main: li r2, 6\nld r1, r2, 2\nbeq r1, r0, main\nhalt").call("main");
  EXPECT_EQ(failure(ld),
            "row 0, pc 1 `ld r1, r2, 2`: ld from address 8 differs between columns 0 and 2: "
            "a row must run in step");

  Rig one(kShape, 5);
  one.store(0, 3, 8, {5}).load("main: li r2, 6\nld r1, r2, 2\nhalt").call("main");
  EXPECT_EQ(failure(one),
            "row 0, pc 1 `ld r1, r2, 2`: ld from address 8 differs between columns 0 and 3: "
            "a row must run in step");
}

TEST(Threads, AFailureOfAllIsSaidOnce) {
  Rig rig(kShape, 3);
  rig.load("here: jmp here").call("here");
  EXPECT_EQ(failure(rig), "row 0, pc 0 `jal r0, 0`: runs in circles without end");
}

TEST(Threads, AFailedWaferStaysFailed) {
  for (const int threads : {1, 2, 5}) {
    SCOPED_TRACE(threads);
    Rig rig(kShape, threads);
    rig.store(0, 3, 8, {5}).load("main: li r2, 6\nld r1, r2, 2\nhalt").call("main");
    const std::string first = failure(rig);
    EXPECT_NE(first, "nothing");
    EXPECT_EQ(failure(rig.reg(1, 1)), first);
    EXPECT_EQ(failure(rig), first);
    EXPECT_THROW(rig.wafer->counters(), std::runtime_error);
    EXPECT_THROW(rig.wafer->await(std::vector<std::uint64_t>(3)), std::runtime_error);
  }
}

TEST(Threads, AtLeastOne) { EXPECT_THROW(make_model_wafer(kShape, 0), std::invalid_argument); }

}  // namespace
}  // namespace weft
