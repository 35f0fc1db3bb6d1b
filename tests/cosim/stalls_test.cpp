/// Stall counts of tiles: the replicated-tile wafer, whose tiles sleep, and rtl/weft_wafer.sv, whose tiles are always
/// clocked, count the same; the stall reasons add up to the cycles between two MARKs.
#include <gtest/gtest.h>

#include <numeric>

#include "verif/sim/stall_record.hpp"

#ifdef WEFT_TWO_VALVES
#include "Vweft_wafer_3x2v2.h"
#else
#include "Vweft_wafer_2x2v1.h"
#endif
#include "sw/compiler/stream/expand.hpp"
#include "tests/cosim/tiny.hpp"
#include "verif/cosim/flat_wafer.hpp"
#include "verif/sim/replicated_wafer.hpp"

namespace weft::cosim {
namespace {

/// A micro-batch with a MARK after its tokens and after each op; the MARK's value is the op's number.
struct Marked {
  explicit Marked(const machine::WaferShape& shape) : tiny(shape, tiny_model()) {
    const auto mark = [this] {
      stream.push_back(machine::Message::command(machine::Command::Mark, 0, static_cast<std::uint16_t>(marks++)));
    };
    stream = tiny.plan.tokens(tiny.inputs, tiny.labels);
    mark();
    std::vector<machine::Message> messages;
    for (const compiler::Op& op : tiny.plan.ops) {
      compiler::expand(op, tiny.parameters, messages);
      stream.insert(stream.end(), messages.begin(), messages.end());
      mark();
    }
  }

  Tiny tiny;
  std::vector<machine::Message> stream;
  std::size_t marks = 0;
};

sim::StallLog run(auto& wafer, const Marked& marked) {
  sim::StallLog log;
  wafer.log_stalls(&log);
  wafer.feed(marked.tiny.plan.load);
  wafer.settle();
  wafer.feed(marked.stream);
  wafer.await(marked.tiny.totals);
  wafer.settle();
  EXPECT_EQ(wafer.flags(), "");
  return log;
}

void expect_sums(const sim::StallLog& log, const machine::WaferShape& shape, std::size_t marks) {
  const auto tiles = static_cast<std::size_t>(shape.rows * shape.cols);
  ASSERT_EQ(log.size(), tiles * marks);
  std::vector<std::uint64_t> end(tiles);
  std::vector<std::size_t> next(tiles);
  for (const sim::StallRecord& r : log) {
    const auto tile = static_cast<std::size_t>(r.row * shape.cols + r.col);
    EXPECT_EQ(r.tag, next[tile]++);
    EXPECT_EQ(r.begin, end[tile]);
    end[tile] = r.end;
    EXPECT_FALSE(r.overflow);
    for (const auto& thread : r.counts)
      EXPECT_EQ(std::accumulate(thread.begin(), thread.end(), std::uint64_t{0}), r.cycles());
  }
}

template <class Model>
void compare(const machine::WaferShape& shape) {
  const Marked marked(shape);
  sim::ReplicatedWafer replicated(shape);
  FlatWafer<Model> flat(shape);
  sim::StallLog a = run(replicated, marked), b = run(flat, marked);
  ASSERT_NO_FATAL_FAILURE(expect_sums(a, shape, marked.marks));
  const auto order = [](const sim::StallRecord& x, const sim::StallRecord& y) {
    return std::tie(x.end, x.row, x.col) < std::tie(y.end, y.row, y.col);
  };
  std::ranges::sort(a, order);
  std::ranges::sort(b, order);
  EXPECT_EQ(a, b);
  unsigned main = 0, psum = 0;  // every stall reason of a GPT must occur
  for (const sim::StallRecord& r : a)
    for (int reason = 0; reason < sim::kStallReasons; ++reason) {
      main |= static_cast<unsigned>(r.counts[0][static_cast<std::size_t>(reason)] != 0) << reason;
      psum |= static_cast<unsigned>(r.counts[1][static_cast<std::size_t>(reason)] != 0) << reason;
    }
  const auto set = [](std::initializer_list<isa::StallReason> reasons) {
    unsigned bits = 0;
    for (const isa::StallReason reason : reasons) bits |= 1u << static_cast<unsigned>(reason);
    return bits;
  };
  using enum isa::StallReason;
  EXPECT_EQ(main, set({Issued, Other, Scalar, Weight, Handoff, Memory, Hazard, Table, Command, Join}));
  EXPECT_EQ(psum & ~set({Credit, Table, Memory}), set({Issued, Scalar, Psum, Handoff, Hazard, Asleep}));
}

#ifdef WEFT_TWO_VALVES
TEST(Stalls, AlsoWithTwoValves) { compare<Vweft_wafer_3x2v2>({.rows = 3, .cols = 2, .valves = 2}); }
#else
TEST(Stalls, TilesThatSleepCountWhatTilesThatAreAlwaysClockedCount) {
  compare<Vweft_wafer_2x2v1>({.rows = 2, .cols = 2});
}
#endif

}  // namespace
}  // namespace weft::cosim
