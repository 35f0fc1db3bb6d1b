/// pe_perf against counts in C++: any reasons, MARKs as close together as possible, edges that stand for many cycles,
/// and counts that overflow. Both forms: that for Verilator, and the built one, whose counters are read bit by bit.
#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <iterator>

#include "Vweft_pe_perf.h"
#include "isa_machine.hpp"
#include "tests/clock.hpp"
#include "tests/random.hpp"
#include "verif/sim/stall_counter_code.hpp"
#include "verif/sim/stall_record.hpp"

namespace weft::test {
namespace {

using isa::StallReason;

#ifdef WEFT_BUILT_COUNTERS
constexpr bool kBuilt = true;
#else
constexpr bool kBuilt = false;
#endif
constexpr int kBits = 9;
constexpr std::uint64_t kMost = (1u << kBits) - 2;  // cycles of a phase

constexpr StallReason kMain[] = {StallReason::Issued,  StallReason::Other,  StallReason::Scalar, StallReason::Weight,
                                 StallReason::Handoff, StallReason::Memory, StallReason::Hazard, StallReason::Table,
                                 StallReason::Command, StallReason::Join};
constexpr StallReason kPsum[] = {StallReason::Issued, StallReason::Scalar,  StallReason::Psum,
                                 StallReason::Credit, StallReason::Handoff, StallReason::Memory,
                                 StallReason::Hazard, StallReason::Table,   StallReason::Asleep};

/// Expected counts since the last MARK.
struct Phase {
  std::array<std::array<std::uint64_t, sim::kStallReasons>, sim::kThreads> counts{};
  std::uint64_t cycles = 0;
  unsigned tag = 0;
  bool overflow() const { return cycles > kMost; }
  void add(StallReason main, StallReason psum, std::uint64_t n) {
    counts[0][static_cast<std::size_t>(main)] += n;
    counts[1][static_cast<std::size_t>(psum)] += n;
    cycles += n;
  }
};

class Counted {
 public:
  Counted() : dut(&context) {
    dut.cycles_i = 1;
    reset(dut);
  }

  /// An edge that stands for so many cycles. Returns true if there is a record, which is that of ended.front().
  bool step(StallReason main, StallReason psum, unsigned cycles = 1) { return edge(main, psum, false, cycles); }
  bool mark(unsigned tag, unsigned cycles = 1) {
    open.tag = tag;
    return edge(StallReason::Command, StallReason::Asleep, true, cycles);
  }

  /// The built form rotates its counters by a bit a cycle, while it continues to count.
  sim::StallRecord record() {
    const auto read = [this](unsigned reason, unsigned psum = 0) -> const auto& {
      dut.read_i = static_cast<CData>(kBuilt << 5 | psum << 4 | reason);
      dut.eval();
      return dut.tally_o;
    };
    sim::StallRecord r = sim::read_stalls(read);
    if constexpr (!kBuilt) return r;
    r.counts = {};
    for (int bit = 0; bit < kBits; ++bit) {
      for (unsigned t = 0; t < sim::kThreads; ++t)
        for (unsigned c = 0; c < sim::kStallReasons; ++c)
          r.counts[t][c] = r.counts[t][c] << 1 | (read(c, t)[2] >> 18 & 1);
      step(StallReason::Hazard, StallReason::Table);
    }
    dut.read_i = 0;
    for (auto& thread : r.counts)
      for (std::uint32_t& count : thread) count = sim::stall_counter_steps(count, kBits);
    return r;
  }
  void expect_ended() {
    const Phase expected = ended.front();
    const sim::StallRecord r = record();
    EXPECT_EQ(r.tag, expected.tag);
    EXPECT_EQ(r.overflow, expected.overflow());
    if (expected.overflow()) return;
    for (std::size_t t = 0; t < sim::kThreads; ++t)
      for (std::size_t c = 0; c < sim::kStallReasons; ++c)
        ASSERT_EQ(r.counts[t][c], expected.counts[t][c]) << "thread " << t << " " << isa::kStallNames[c];
  }

  VerilatedContext context;
  Vweft_pe_perf dut;
  Phase open;
  std::deque<Phase> ended;  // the last is being counted, the one before it is the record

 private:
  bool edge(StallReason main, StallReason psum, bool mark, unsigned cycles) {
    dut.main_i = static_cast<CData>(main);
    dut.psum_i = static_cast<CData>(psum);
    dut.cycles_i = cycles;
    dut.mark_i = mark;
    dut.tag_i = static_cast<SData>(open.tag);
    open.add(main, psum, cycles);
    clock(dut);
    const bool fresh = marked_;
    if (fresh && ended.size() > 1) ended.pop_front();
    if (mark) {
      ended.push_back(open);
      open = {};
    }
    marked_ = mark;
    EXPECT_EQ(dut.busy_o, mark);
    EXPECT_EQ(sim::is_fresh_stall_record(dut.tally_o), fresh);
    return fresh;
  }
  bool marked_ = false;
};

TEST(StallCounters, CountsEachCauseBetweenTwoMarks) {
  Rng rng(test_seed());
  Counted c;
  unsigned records = 0, overflows = 0;
  for (int cycle = 0; cycle < 200'000; ++cycle) {
    const unsigned cycles = kBuilt ? 1 : rng.chance(3) ? rng.below(40) : rng.chance(1) ? rng.next() >> 32 : 1;
    const bool often = cycle / 1000 % 2;
    const bool fresh = rng.below(1000) < (often ? 300 : 3)
                           ? c.mark(rng.below(65536), cycles)
                           : c.step(kMain[rng.below(std::size(kMain))], kPsum[rng.below(std::size(kPsum))], cycles);
    if (!fresh || (kBuilt && c.ended.size() > 1)) continue;  // the record would be replaced while it is read
    overflows += c.ended.front().overflow();
    ASSERT_NO_FATAL_FAILURE(c.expect_ended()) << "cycle " << cycle;
    ++records;
  }
  EXPECT_GT(records, 10'000u);
  EXPECT_GT(overflows, 50u);
  EXPECT_LT(overflows, records / 2);
}

TEST(StallCounters, APhaseTooLongForACountSaysSoInItsRecordAndInNoOther) {
  Counted c;
  const auto phase = [&c](std::uint64_t cycles) {
    while (c.open.cycles < cycles - 1) c.step(StallReason::Issued, StallReason::Psum);
    c.mark(1);
    c.step(StallReason::Command, StallReason::Asleep);
    c.step(StallReason::Command, StallReason::Asleep);
    const bool overflow = c.ended.front().overflow();
    c.expect_ended();
    return overflow;
  };
  EXPECT_FALSE(phase(kMost));
  EXPECT_TRUE(phase(kMost + 1));
  EXPECT_FALSE(phase(kMost));
  EXPECT_TRUE(phase(3 * kMost));
}

TEST(StallCounters, ARecordStaysWhileTheNextIsCounted) {
  Counted c;
  for (int n = 0; n < 5; ++n) c.step(StallReason::Weight, StallReason::Handoff);
  c.mark(77);
  for (int times = 0; times < 3; ++times) {
    for (std::size_t n = 0; n < 50; ++n) c.step(kMain[n % std::size(kMain)], kPsum[n % std::size(kPsum)]);
    const sim::StallRecord r = c.record();
    EXPECT_EQ(r.tag, 77);
    EXPECT_EQ(r.count(0, StallReason::Weight), 5u);
    EXPECT_EQ(r.count(1, StallReason::Handoff), 5u);
    EXPECT_EQ(r.count(0, StallReason::Command), 1u);
    EXPECT_EQ(r.count(0, StallReason::Issued), 0u);
  }
}

TEST(StallCounters, AResetBeginsANewRecord) {
  Counted c;
  for (int n = 0; n < 5; ++n) c.step(StallReason::Scalar, StallReason::Credit);
  reset(c.dut);
  c.open = {};
  c.step(StallReason::Join, StallReason::Issued);
  c.mark(1);
  c.step(StallReason::Command, StallReason::Asleep);
  c.expect_ended();
}

}  // namespace
}  // namespace weft::test
