/// Groups of rows on the RTL: each returns the words of a wafer of its own, in the cycles of one group.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "tests/cosim/tiny.hpp"

namespace weft::cosim {
namespace {

constexpr machine::WaferShape kGroup = {.rows = 2, .cols = 2};

machine::WaferShape groups(int number) {
  machine::WaferShape shape = kGroup;
  shape.row_groups = number;
  return shape;
}

/// Words of each row, and the cycles of the micro-batch.
struct Returned {
  std::vector<std::vector<std::uint32_t>> words;
  std::uint64_t cycles = 0;
};

Returned run(Wafer& wafer, const Tiny& tiny, const std::function<void()>& feed) {
  wafer.feed(tiny.plan.load);
  wafer.settle();
  const std::uint64_t before = wafer.counters().cycles;
  feed();
  wafer.await(std::span(tiny.totals).first(static_cast<std::size_t>(wafer.shape().all_rows())));
  wafer.settle();
  Returned all;
  all.cycles = wafer.counters().cycles - before;
  for (int row = 0; row < wafer.shape().all_rows(); ++row) all.words.push_back(wafer.outlet(row));
  EXPECT_EQ(wafer.flags(), "");
  return all;
}

TEST(RowGroupsOnRtl, ReturnTheWordsOfWafersOfTheirOwn) {
  constexpr int kGroups = 3;
  const Tiny tiny(groups(kGroups), tiny_model());
  const auto wafer = make_rtl_wafer(groups(kGroups));
  const Returned all = run(*wafer, tiny, [&] { tiny.feed(*wafer); });
  for (int group = 0; group < kGroups; ++group) {
    const auto alone = make_rtl_wafer(kGroup);
    const Returned one = run(*alone, tiny, [&] {
      alone->feed(tiny.tokens(group));
      alone->feed(std::span(tiny.messages).subspan(tiny.tokens(0).size()));
    });
    for (int row = 0; row < kGroup.rows; ++row) {
      SCOPED_TRACE("group " + std::to_string(group) + ", row " + std::to_string(row));
      EXPECT_GT(one.words[static_cast<std::size_t>(row)].size(), 0U);
      EXPECT_EQ(all.words[static_cast<std::size_t>(group * kGroup.rows + row)],
                one.words[static_cast<std::size_t>(row)]);
    }
    if (group > 0) {
      EXPECT_NE(all.words.front(), all.words[static_cast<std::size_t>(group * kGroup.rows)]) << "tokens differ";
    }
    // Groups wait for the others' tokens, a message each cycle, and for nothing else.
    const auto others = static_cast<std::uint64_t>(kGroups - 1) * tiny.tokens(0).size();
    EXPECT_GE(all.cycles, one.cycles);
    EXPECT_LE(all.cycles, one.cycles + others);
  }
}

TEST(RowGroupsOnRtl, TakeOneStream) {
  const Tiny tiny(groups(4), tiny_model());
  const auto messages = [&](int number) {
    const auto wafer = make_rtl_wafer(groups(number));
    (void)run(*wafer, tiny, [&] { wafer->feed(std::span(tiny.messages).subspan(tiny.tokens(0).size())); });
    std::uint64_t returned = 0;
    for (int row = 0; row < wafer->shape().all_rows(); ++row) returned += wafer->outlet(row).size();
    return wafer->counters().edge_messages - returned;
  };
  EXPECT_EQ(messages(4), messages(1)) << "the host sends each message once";
}

/// A group that waits for a word which never arrives: the report has that group alone.
TEST(RowGroupsOnRtl, NameTheGroupThatHangs) {
  const Tiny tiny(groups(2), tiny_model());
  for (const auto& wafer : {make_rtl_wafer(groups(2)), make_model_wafer(groups(2))}) {
    wafer->feed(tiny.plan.load);
    wafer->settle();
    // Only group 1 gets the stream's beginning, a call without the words that it waits for.
    const auto stream = std::span(tiny.messages).subspan(tiny.tokens(0).size());
    const auto data = std::ranges::find(stream, false, [](const machine::Message& m) { return bool{m.ctrl}; });
    try {
      wafer->feed_group(1, {stream.begin(), data});
      wafer->settle();
      FAIL() << "the wafer does not hang";
    } catch (const WaferHang& hang) {
      ASSERT_TRUE(hang.hang_snapshot);
      EXPECT_EQ(hang.hang_snapshot->why.find("group 1 of the rows: "), 0U) << hang.hang_snapshot->why;
      EXPECT_EQ(hang.hang_snapshot->shape.row_groups, 1);
      EXPECT_EQ(hang.hang_snapshot->tiles.size(), static_cast<std::size_t>(kGroup.rows * kGroup.cols));
      EXPECT_EQ(hang.hang_snapshot->rows.size(), static_cast<std::size_t>(kGroup.rows));
      EXPECT_EQ(hang.hang_snapshot->valves.size(), 1U);
    }
  }
}

}  // namespace
}  // namespace weft::cosim
