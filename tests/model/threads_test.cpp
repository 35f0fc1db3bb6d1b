/// A wafer whose columns several threads share has the bits of one thread's, and says the same of what is wrong.
#include "tests/model/gemm.hpp"

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

// Sums along the row and vectors gathered from it, -0 and NaN among them.
TEST(Threads, WordsThatGoWest) {
  const std::string source = R"(
main:   li   r1, 2
        csrw VL, r1
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
  expect_same([&](Rig& rig) {
    for (int row = 0; row < kShape.rows; ++row) {
      for (int col = 0; col < kShape.cols; ++col) {
        std::vector<std::uint16_t> elements;
        for (int e = 0; e < 64 * 4; ++e)
          elements.push_back(static_cast<std::uint16_t>(0x3f80 + 97 * e * (col + 3) + row));
        elements[20] = 0x7fc1, elements[21] = 0x8000;
        rig.store(row, col, 0, elements);
      }
    }
    rig.load(source).call("main");
    for (int i = 0; i < 40; ++i) rig.weight((i % 3) << 14 | i % 4, 0);
    rig.cr().go();
    ASSERT_EQ(rig.wafer->outlet(0).size(), 1U + 2 * 4 * 5 + 14);
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

TEST(Threads, AtLeastOne) { EXPECT_THROW(make_model_wafer(kShape, 0), std::invalid_argument); }

}  // namespace
}  // namespace weft
