/// Runs a micro-batch on the replicated-tile wafer and on rtl/weft_wafer.sv as a single top, and compares the results.
#pragma once

#include <gtest/gtest.h>

#include "tests/cosim/tiny.hpp"
#include "tests/random.hpp"
#include "verif/cosim/flat_wafer.hpp"
#include "verif/sim/replicated_wafer.hpp"

namespace weft::cosim {

struct Outcome {
  std::vector<sim::EdgeEvent> events;
  std::vector<std::vector<std::uint16_t>> memories;
  WaferCounters counters;
};

using Takes = std::function<bool(int row, std::uint64_t cycle)>;

/// Streams `chunk` messages at a time, to a host that takes words as `takes` decides.
inline Outcome run(sim::ClockedWafer& wafer, const Tiny& tiny, std::size_t chunk, const Takes& takes = {}) {
  Outcome o;
  wafer.listen(takes);
  wafer.record(&o.events);
  const std::span<const machine::Message> load = tiny.plan.load;
  for (std::size_t i = 0; i < load.size(); i += chunk) wafer.feed(load.subspan(i, std::min(chunk, load.size() - i)));
  wafer.settle();
  tiny.feed(wafer, chunk);
  wafer.await(tiny.totals);
  wafer.settle();
  for (int row = 0; row < wafer.shape().all_rows(); ++row)
    for (int col = 0; col < wafer.shape().cols; ++col) o.memories.push_back(wafer.sram(row, col));
  o.counters = wafer.counters();
  EXPECT_EQ(wafer.flags(), "");
  return o;
}

inline void expect_same(const Outcome& a, const Outcome& b) {
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
void compare(const machine::WaferShape& shape, const Takes& takes = {}) {
  const Tiny tiny(shape, tiny_model());
  FlatWafer<Model> flat(shape);
  sim::ReplicatedWafer replicated(shape);
  expect_same(run(flat, tiny, 64, takes), run(replicated, tiny, 1000, takes));
}

/// A host that takes one offer in four, and from time to time none for 1000 cycles.
inline Takes slow_host(std::uint64_t seed) {
  return [seed](int row, std::uint64_t cycle) {
    const auto rng = [&](std::uint64_t n) { return test::mix(seed + n * 256 + static_cast<std::uint64_t>(row)); };
    return rng(cycle / 1000) % 4 != 0 && rng(1000000 + cycle) % 4 == 0;
  };
}

}  // namespace weft::cosim
