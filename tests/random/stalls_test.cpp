/// Random programs with a MARK before each call: every tile's stall reasons add up to the cycles between two MARKs.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <numeric>

#include "tests/random.hpp"
#include "verif/random/session.hpp"
#include "verif/sim/clocked_wafer.hpp"
#include "verif/sim/stall_record.hpp"

namespace weft::random {
namespace {

/// Runs the case as a host would; counts before and after a reset are checked separately.
class Marked {
 public:
  explicit Marked(const Case& c) : case_(c), wafer_(sim::make_clocked_wafer(c.shape)) {
    press(*wafer_, c);
    wafer_->log_stalls(&log_);
  }

  void run() {
    using Kind = Item::Kind;
    for (const Item& item : case_.items) {
      if (item.kind == Kind::Send) send(item.message);
      if (item.kind == Kind::Load)
        for (const machine::Message& m : load(case_)) waiting_.push_back(m);
      if (item.kind == Kind::Settle || item.kind == Kind::Reset) settle();
      if (item.kind == Kind::Reset) {
        check();
        wafer_->reset();
      }
    }
    settle();
    check();
  }

  std::size_t records = 0;
  std::uint64_t cycles = 0;
  std::array<std::array<std::uint64_t, sim::kStallReasons>, sim::kThreads> sums{};

 private:
  void send(const machine::Message& m) {
    if (m.ctrl && m.data >> 24 == static_cast<unsigned>(machine::Command::Call))
      waiting_.push_back(machine::Message::command(machine::Command::Mark, 0, 0));
    waiting_.push_back(m);
    marks_ += m.ctrl && m.data >> 24 == static_cast<unsigned>(machine::Command::Call);
  }
  void settle() {
    wafer_->feed(waiting_);
    wafer_->settle();
    waiting_.clear();
  }
  void check() {
    std::map<std::pair<int, int>, std::pair<std::uint64_t, std::size_t>> tiles;  // end of the last record, count
    for (const sim::StallRecord& r : log_) {
      auto& [end, count] = tiles[{r.row, r.col}];
      EXPECT_EQ(r.begin, end);
      end = r.end;
      ++count;
      EXPECT_FALSE(r.overflow);
      for (std::size_t t = 0; t < sim::kThreads; ++t) {
        EXPECT_EQ(std::accumulate(r.counts[t].begin(), r.counts[t].end(), std::uint64_t{0}), r.cycles())
            << "tile " << r.row << "," << r.col << " thread " << t;
        for (std::size_t c = 0; c < sim::kStallReasons; ++c) sums[t][c] += r.counts[t][c];
      }
      cycles += r.cycles();
    }
    records += log_.size();
    if (marks_ > 0) {
      EXPECT_EQ(tiles.size(), static_cast<std::size_t>(case_.shape.rows * case_.shape.cols));
    }
    for (const auto& [tile, counted] : tiles) EXPECT_GE(counted.second, marks_);
    log_.clear();
    marks_ = 0;
  }

  const Case& case_;
  std::unique_ptr<sim::ClockedWafer> wafer_;
  sim::StallLog log_;
  std::vector<machine::Message> waiting_;
  std::size_t marks_ = 0;
};

TEST(Random, StallReasonsAddUpInFortyPrograms) {
  const std::uint64_t seed = test::test_seed();
  std::size_t records = 0;
  unsigned seen[sim::kThreads] = {};
  for (std::uint64_t number = 0; number < 40; ++number) {
    SCOPED_TRACE("case " + std::to_string(number));
    const Case c = make_program_case(seed, number, built_machines());
    Marked marked(c);
    marked.run();
    records += marked.records;
    for (unsigned t = 0; t < sim::kThreads; ++t)
      for (unsigned reason = 0; reason < sim::kStallReasons; ++reason)
        seen[t] |= static_cast<unsigned>(marked.sums[t][reason] != 0) << reason;
    if (::testing::Test::HasFailure()) break;
  }
  EXPECT_GT(records, 150u);
  EXPECT_EQ(seen[0], 0x0fcfu);          // all stall reasons that main can have
  EXPECT_EQ(seen[1] | 0x20u, 0x13f5u);  // and psum, whose queue is full only with a slow host
}

}  // namespace
}  // namespace weft::random
