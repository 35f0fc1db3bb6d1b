#include "verif/sim/intake.hpp"

#include <gtest/gtest.h>

namespace weft::sim {
namespace {

TEST(Intake, GivesEachWeightToTheValveOfItsRow) {
  // 5 rows, 3 valves: rows {0}, {1, 2}, {3, 4}; 3 bits of the index name the row.
  Intake intake({.rows = 5, .cols = 1, .valves = 3});
  for (int row = 0; row < 8; ++row) {
    const machine::Message m = machine::Message::weight(static_cast<std::uint16_t>(row << 13), 7);
    intake.push({&m, 1});
  }
  EXPECT_EQ(intake[0].size(), 1u);
  EXPECT_EQ(intake[1].size(), 2u);
  EXPECT_EQ(intake[2].size(), 5u) << "rows that do not exist fall off the last chain";
}

TEST(Intake, GivesCommandsToEveryValve) {
  Intake intake({.rows = 2, .cols = 1, .valves = 2});
  const machine::Message m = machine::Message::command(machine::Command::Call, 0, 9);
  intake.push({&m, 1});
  EXPECT_EQ(intake[0].front(), link_bits(m));
  EXPECT_EQ(intake[1].front(), link_bits(m));
  intake[0].pop();
  EXPECT_FALSE(intake.all_busy());
  EXPECT_FALSE(intake.empty());
  intake[1].pop();
  EXPECT_TRUE(intake.empty());
}

TEST(Intake, MarksWhatIsForOneGroupOfRows) {
  Intake intake({.rows = 2, .cols = 1, .valves = 2, .row_groups = 3});
  EXPECT_EQ(intake.valves(), 2) << "a queue for each valve of a group";
  const machine::Message m = machine::Message::command(machine::Command::Call, 0, 9);
  intake.push({&m, 1}, 2);
  intake.push({&m, 1});
  for (const int valve : {0, 1}) {
    EXPECT_EQ(intake[valve].next(0) & ((std::uint64_t{1} << 38) - 1), link_bits(m));
    EXPECT_EQ(group_of(intake[valve].next(0)), 2);
    EXPECT_FALSE(is_for(intake[valve].next(0), 1));
    EXPECT_TRUE(is_for(intake[valve].next(0), 2));
    EXPECT_TRUE(is_for(intake[valve].next(1), 1));
    EXPECT_EQ(intake[valve].next(1), link_bits(m));
  }
}

}  // namespace
}  // namespace weft::sim
