/// A wafer whose columns are shared among several threads gives the bits and the errors of a single thread.
#include <algorithm>

#include "tests/model/both.hpp"
#include "tests/model/gemm.hpp"
#include "tests/random.hpp"

namespace weft::model::threads_test {
namespace {

constexpr machine::WaferShape kShape{.rows = 3, .cols = 5, .sram_kib = 8};
const std::vector<int> kThreads{2, 3, 4, 5, 9};

template <class Work>
void expect_same(const Work& work) {
  Rig one(kShape);
  work(one);
  const Snapshot expected(*one.wafer);
  for (const int threads : kThreads) {
    SCOPED_TRACE(threads);
    Rig many(kShape, threads);
    work(many);
    expected.expect(Snapshot(*many.wafer));
    EXPECT_EQ(model(*many.wafer).in_lockstep(), model(*one.wafer).in_lockstep());
  }
}

TEST(Threads, AGemm) {
  const Gemm gemm(kShape, 16, 20, 33, 0.7, 1);
  expect_same([&](Rig& rig) {
    gemm.load(rig);
    rig.feed();
    rig.pending = gemm.stream;
    rig.go(999);
    gemm.check(rig);
  });
}

// Each row of WordsThatGoWest sends its status, a vector of each column, and sums of dot products.
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
        li   r2, 512
        fork psum
        li   r3, 64
        vdot R[r3], M[r0], M[r2]
        join
        halt
psum:   rcv  r4, WEST
        snd  WEST, r4
        li   r1, 2
        csrw VL, r1
        vs.mov own=R[r0], out=WEST, gather
        li   r2, 512
        vb   src=M[r0], dst=M[r2]
        li   r3, 64
        vr   in=WEST, out=WEST, src=R[r3]
        halt
)";

TEST(Threads, WordsThatGoWest) {
  constexpr int kGathered = 2 * 4 * 5, kSums = 14, kFeatures = 4;
  expect_same([&](Rig& rig) {
    test::Rng rng(1);
    for (int row = 0; row < kShape.rows; ++row) {
      for (int col = 0; col < kShape.cols; ++col) {
        std::vector<std::uint16_t> x(kFeatures * 64);  // sizes for which the order of summation matters
        for (auto& e : x) e = static_cast<std::uint16_t>(rng.below(2) << 15 | (0x3c00 + rng.below(0x800)));
        x[0] = 0x2000;                           // dy of lane 0: 2^-63
        std::fill_n(x.begin() + 2 * 64, 64, 0);  // feature 2: a subnormal sum, flushed to 0
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

TEST(Threads, AFlagOfOneColumn) {
  expect_same([](Rig& rig) {
    rig.store(1, 4, kShape.sram_elements(), {1}).go();
    rig.load("main: fork p\njoin\nhalt\np: csrr r1, FLAGS\nrcv r2, WEST\nor r1, r1, r2\nsnd WEST, r1\nhalt");
    rig.call("main").go();
    EXPECT_EQ(rig.wafer->flags(), "row 1 column 4 BAD_ADDRESS");
    EXPECT_EQ(rig.wafer->outlet(1), std::vector<std::uint32_t>{1u << static_cast<unsigned>(isa::Flag::BadAddress)});
  });
}

const std::string kHint =
    ", which several threads simulate, so the difference was detected too late. HINT: use one thread for the model's "
    "wafer (wafer.threads: 1): tiles that leave lockstep then run one by one";

TEST(Threads, ProgramsThatLeaveLockstep) {
  const std::string programs[] = {
      "main: csrr r1, COL\nhalt",
      "main: fork p\njoin\nhalt\np: csrr r1, ROW\nrcv r2, WEST\nadd r1, r1, r2\nsnd WEST, r1\nhalt",
      "main: fork p\njoin\nhalt\np: snd NORTH, r0\nhalt",
      "main: fork p\njoin\nhalt\np: li r1, 2\ncsrw VL, r1\nvs.mov own=R[r0], out=WEST\nhalt"};
  for (const std::string& program : programs) {
    SCOPED_TRACE(program);
    expect_same([&](Rig& rig) {
      rig.load(program).call("main");
      for (int n = 0; n < 40; ++n) rig.reg(n % 15 + 1, n);  // and more is on its way
      rig.load("main: li r7, 3\nhalt").call("main").go(9);
      EXPECT_FALSE(model(*rig.wafer).in_lockstep());
      EXPECT_EQ(rig.wafer->state(2, 4).main.registers[7], 3);
    });
  }
}

TEST(Threads, AreAskedAgainAfterAReset) {
  expect_same([](Rig& rig) {
    rig.load("main: csrr r1, COL\nli r1, 0\nhalt").call("main").go();
    rig.wafer->reset();
    EXPECT_TRUE(model(*rig.wafer).in_lockstep());
    const Gemm gemm(kShape, 16, 20, 33, 0.7, 1);
    rig.pending = compiler::route_messages(kShape);
    gemm.load(rig);
    rig.pending.insert(rig.pending.end(), gemm.stream.begin(), gemm.stream.end());
    rig.go(999);
    gemm.check(rig);
  });
}

TEST(Threads, ColumnsOfTwoThreadsThatDiffer) {
  // First between the columns of two threads, then between columns of one thread.
  for (const int first : {2, 1}) {
    SCOPED_TRACE(first);
    Rig ld(kShape, 2);
    for (int col = first; col < 5; ++col) ld.store(0, col, 8, {5});
    ld.load("main: li r2, 6\nld r1, r2, 2\nbeq r1, r0, main\nhalt").call("main");
    EXPECT_EQ(failure(ld), "row 0, pc 1 `ld r1, r2, 2`: ld from address 8 differs between columns 0 and " +
                               std::to_string(first) + kHint);
  }
  Rig one(kShape, 5);
  one.store(0, 3, 8, {5}).load("main: li r2, 6\nld r1, r2, 2\nhalt").call("main");
  EXPECT_EQ(failure(one), "row 0, pc 1 `ld r1, r2, 2`: ld from address 8 differs between columns 0 and 3" + kHint);
}

TEST(Threads, AFailureOfAllIsSaidOnce) {
  Rig rig(kShape, 3);
  rig.load("here: jmp here").call("here");
  EXPECT_EQ(failure(rig), "row 0, pc 0 `jal r0, 0`: runs in an endless loop");
}

TEST(Threads, AFailedWaferStaysFailed) {
  for (const int threads : {1, 2, 5}) {
    SCOPED_TRACE(threads);
    Rig rig(kShape, threads);
    rig.load("here: jmp here").call("here");
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
}  // namespace weft::model::threads_test
