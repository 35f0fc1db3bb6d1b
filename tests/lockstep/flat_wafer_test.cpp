/// The stamped wafer against rtl/wafer.sv: the same messages at the edge in the same cycles.
#include "verif/lockstep/flat_wafer.hpp"

#include <gtest/gtest.h>

#include "Vwafer_2x2v1.h"
#include "Vwafer_3x2v2.h"
#include "tests/lockstep/tiny.hpp"
#include "verif/sim/stamped_wafer.hpp"

namespace weft {
namespace {

struct Outcome {
  std::vector<EdgeEvent> events;
  std::vector<std::vector<std::uint16_t>> memories;
  WaferCounters counters;
};

/// Streams `chunk` messages at a time.
Outcome run(ClockedWafer& wafer, const Tiny& tiny, std::size_t chunk) {
  Outcome o;
  wafer.record(&o.events);
  const auto feed = [&](std::span<const Message> all) {
    for (std::size_t i = 0; i < all.size(); i += chunk) wafer.feed(all.subspan(i, std::min(chunk, all.size() - i)));
  };
  feed(tiny.plan.load);
  wafer.settle();
  feed(tiny.messages);
  wafer.await(tiny.totals);
  wafer.settle();
  for (int row = 0; row < wafer.shape().rows; ++row)
    for (int col = 0; col < wafer.shape().cols; ++col) o.memories.push_back(wafer.sram(row, col));
  o.counters = wafer.counters();
  EXPECT_EQ(wafer.flags(), "");
  return o;
}

void expect_same(const Outcome& a, const Outcome& b) {
  ASSERT_EQ(a.events.size(), b.events.size());
  for (std::size_t i = 0; i < a.events.size(); ++i) {
    ASSERT_EQ(a.events[i], b.events[i]) << "message " << i << " at the edge: cycles " << a.events[i].cycle << " and "
                                        << b.events[i].cycle << ", words " << a.events[i].word << " and "
                                        << b.events[i].word;
  }
  EXPECT_EQ(a.memories, b.memories);
  EXPECT_EQ(a.counters.cycles, b.counters.cycles);
  EXPECT_EQ(a.counters.beats, b.counters.beats);
  EXPECT_EQ(a.counters.fma_lanes, b.counters.fma_lanes);
  EXPECT_EQ(a.counters.edge_messages, b.counters.edge_messages);
  EXPECT_GT(a.events.size(), 1000u);
}

template <class Model>
void compare(const WaferShape& shape) {
  const Tiny tiny(shape, tiny_model());
  FlatWafer<Model> flat(shape);
  StampedWafer stamped(shape);
  expect_same(run(flat, tiny, 64), run(stamped, tiny, 1000));
}

TEST(StampedWafer, HasTheCyclesOfTheFlatWaferOn2x2Tiles) { compare<Vwafer_2x2v1>({.rows = 2, .cols = 2}); }
TEST(StampedWafer, HasTheCyclesOfTheFlatWaferWithTwoValves) {
  compare<Vwafer_3x2v2>({.rows = 3, .cols = 2, .valves = 2});
}

TEST(StampedWafer, DoesNotDependOnHowTheStreamIsCut) {
  const WaferShape shape{.rows = 3, .cols = 2, .valves = 2};
  const Tiny tiny(shape, tiny_model());
  StampedWafer whole(shape), cut(shape);
  expect_same(run(whole, tiny, tiny.messages.size()), run(cut, tiny, 7));
}

}  // namespace
}  // namespace weft
