/// The replicated-tile wafer and rtl/weft_wafer.sv have the same messages at the edge in the same cycles.
#include <gtest/gtest.h>

#include "Vweft_wafer_2x1v2.h"
#include "Vweft_wafer_2x1v2g2.h"
#include "Vweft_wafer_2x2v1.h"
#include "tests/cosim/flat_run.hpp"

namespace weft::cosim {
namespace {

using isa::Port;

/// The words delivered by row r's outlet, in order.
std::vector<std::uint64_t> words(const Outcome& o, int row) {
  std::vector<std::uint64_t> list;
  for (const sim::EdgeEvent& e : o.events)
    if (e.kind == sim::EdgeEvent::Kind::Out && e.place == row) list.push_back(e.word);
  return list;
}

TEST(ReplicatedWafer, HasTheCyclesOfTheFlatWaferOn2x2Tiles) { compare<Vweft_wafer_2x2v1>({.rows = 2, .cols = 2}); }
TEST(ReplicatedWafer, HasTheCyclesOfTheFlatWaferWithTwoValves) {
  compare<Vweft_wafer_2x1v2>({.rows = 2, .cols = 1, .valves = 2});
}

/// Groups of rows get tokens of their own. A slow host takes their words at different times, so that one group waits
/// for the other.
TEST(ReplicatedWafer, HasTheCyclesOfTheFlatWaferWithGroupsOfRows) {
  const machine::WaferShape shape{.rows = 1, .cols = 1, .row_groups = 2};
  compare<Vweft_wafer_2x1v2g2>(shape);
  compare<Vweft_wafer_2x1v2g2>(shape, slow_host(test::test_seed()));
}

TEST(ReplicatedWafer, HasTheCyclesOfTheFlatWaferWhenTheHostIsSlow) {
  const Takes takes = slow_host(test::test_seed());
  compare<Vweft_wafer_2x2v1>({.rows = 2, .cols = 2}, takes);
  compare<Vweft_wafer_2x1v2>({.rows = 2, .cols = 1, .valves = 2}, takes);
}

TEST(ReplicatedWafer, ASlowHostGetsTheSameWordsInTheSameOrder) {
  const machine::WaferShape shape{.rows = 3, .cols = 2, .valves = 2};
  const Tiny tiny(shape, tiny_model());
  sim::ReplicatedWafer quick(shape), slow(shape);
  const Outcome a = run(quick, tiny, 1000), b = run(slow, tiny, 1000, slow_host(test::test_seed()));
  for (int row = 0; row < shape.rows; ++row) {
    EXPECT_EQ(words(a, row), words(b, row)) << "row " << row;
    EXPECT_EQ(words(a, row).size(), tiny.totals[static_cast<std::size_t>(row)]);
  }
  EXPECT_EQ(a.memories, b.memories);
  EXPECT_EQ(a.counters.beats, b.counters.beats);
  EXPECT_GT(b.counters.cycles, a.counters.cycles);
}

/// All messages, finally up to the intake, wait behind a host that takes nothing; no message is lost.
template <class Model>
void expect_patience(const machine::WaferShape& shape) {
  const Tiny tiny(shape, tiny_model());
  sim::ReplicatedWafer undisturbed(shape);
  const Outcome expected = run(undisturbed, tiny, 1000);
  const auto check = [&](sim::ClockedWafer& wafer) {
    Outcome o;
    wafer.record(&o.events);
    bool takes = true;
    wafer.listen([&](int, std::uint64_t) { return takes; });
    wafer.feed(tiny.plan.load);
    wafer.settle();
    takes = false;
    EXPECT_THROW(wafer.feed(tiny.messages), WaferHang);
    EXPECT_THROW(wafer.await(tiny.totals), WaferHang);
    for (int row = 0; row < shape.rows; ++row) EXPECT_TRUE(words(o, row).empty());
    takes = true;
    wafer.await(tiny.totals);
    wafer.settle();
    for (int row = 0; row < shape.rows; ++row) EXPECT_EQ(words(o, row), words(expected, row)) << "row " << row;
    EXPECT_EQ(wafer.flags(), "");
  };
  sim::ReplicatedWafer replicated(shape);
  check(replicated);
  FlatWafer<Model> flat(shape);
  check(flat);
}

TEST(ReplicatedWafer, LosesNothingWhenTheHostDoesNotTake) {
  expect_patience<Vweft_wafer_2x2v1>({.rows = 2, .cols = 2});
}

/// The flags of a wafer that gets a route of RING from the ramp to `to`.
std::string flags_of_route(sim::ClockedWafer&& wafer, Port to) {
  const unsigned ring_from_ramp = 1 << 11 | static_cast<unsigned>(Port::Ramp) << 8;
  const machine::Message m = machine::Message::command(
      machine::Command::Route, 0, static_cast<std::uint16_t>(ring_from_ramp | 1u << static_cast<unsigned>(to)));
  wafer.feed({&m, 1});
  wafer.settle();
  return wafer.flags();
}

/// Only the mesh's western edge, with the outlets, may be left: routes across the other edges are rejected.
TEST(ReplicatedWafer, AndTheFlatWaferRefuseRoutesOffTheMesh) {
  const machine::WaferShape shape{.rows = 2, .cols = 2};
  const std::pair<Port, const char*> cases[] = {{Port::N, "row 0 column 0: BAD_ROUTE; row 0 column 1: BAD_ROUTE"},
                                                {Port::E, "row 0 column 1: BAD_ROUTE; row 1 column 1: BAD_ROUTE"},
                                                {Port::S, "row 1 column 0: BAD_ROUTE; row 1 column 1: BAD_ROUTE"},
                                                {Port::W, ""}};
  for (const auto& [to, expected] : cases) {
    EXPECT_EQ(flags_of_route(sim::ReplicatedWafer(shape), to), expected);
    EXPECT_EQ(flags_of_route(FlatWafer<Vweft_wafer_2x2v1>(shape), to), expected);
  }
}

TEST(ReplicatedWafer, AndTheFlatWaferRefuseRoutesFromAGroupOfRowsToTheNext) {
  const machine::WaferShape shape{.rows = 1, .cols = 1, .row_groups = 2};
  for (const Port to : {Port::N, Port::S}) {
    EXPECT_EQ(flags_of_route(sim::ReplicatedWafer(shape), to), "row 0 column 0: BAD_ROUTE; row 1 column 0: BAD_ROUTE");
    EXPECT_EQ(flags_of_route(FlatWafer<Vweft_wafer_2x1v2g2>(shape), to),
              "row 0 column 0: BAD_ROUTE; row 1 column 0: BAD_ROUTE");
  }
}

TEST(ReplicatedWafer, DoesNotDependOnHowTheStreamIsCut) {
  const machine::WaferShape shape{.rows = 3, .cols = 2, .valves = 2};
  const Tiny tiny(shape, tiny_model());
  sim::ReplicatedWafer whole(shape), cut(shape);
  expect_same(run(whole, tiny, tiny.messages.size()), run(cut, tiny, 7));
}

}  // namespace
}  // namespace weft::cosim
