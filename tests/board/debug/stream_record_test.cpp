/// Messages in flight on a board, and the tiles' loaded state, derived from the stream that the host has sent.
#include "host/board/debug/stream_record.hpp"

#include <gtest/gtest.h>

namespace weft::board::stream_record_test {
namespace {

constexpr machine::WaferShape kShape{.rows = 2, .cols = 1};

const std::vector<machine::Message> kSent = {
    machine::Message::command(machine::Command::Iaddr, 0, 5),
    machine::Message::command(machine::Command::Ilo, 0, 0x1234),
    machine::Message::command(machine::Command::Ihi, 0, 0xabcd),
    machine::Message::weight(0, 7),
    machine::Message::weight(0x8000, 8),
    machine::Message::command(machine::Command::CR, 0, 0),
};

machine::HangSnapshot empty() {
  machine::HangSnapshot s;
  s.shape = kShape;
  s.depth = isa::kDepth;
  s.rows.resize(2);
  s.valves.resize(1);
  s.tiles.resize(2);
  for (machine::TileHang& t : s.tiles) {
    t.ramp.assign(isa::kWaferColors, 0);
    for (auto& counts : t.buffers) counts.assign(isa::kWaferColors, 0);
  }
  return s;
}

TEST(StreamRecord, SaysWhatWaitsAndWhatWasTaken) {
  StreamRecord record(kShape);
  record.append(kSent);
  machine::HangSnapshot s = empty();
  s.tiles[0].ramp[0] = 1;
  s.rows[1].cell = 1;
  s.tiles[1].ramp[0] = 1;
  record.restore(s, 5, std::vector<TileStatus>(2));
  EXPECT_EQ(s.valves[0].rest, 1U);
  EXPECT_EQ(s.valves[0].next, std::vector{kSent[5]});
  EXPECT_EQ(s.tiles[0].w, std::vector{kSent[3]});
  EXPECT_EQ(s.tiles[0].state.instructions[5], 0xabcd1234U);
  EXPECT_EQ(s.tiles[0].state.instruction_address, 6);
  EXPECT_EQ(s.rows[1].front, std::vector{kSent[4]});
  EXPECT_EQ(s.tiles[1].w, std::vector{kSent[2]}) << "row 1 has not taken it yet";
  EXPECT_EQ(s.tiles[1].state.instructions[5], 0U);
  EXPECT_EQ(s.tiles[1].state.low_half, 0x1234);
  EXPECT_EQ(s.tiles[1].state.routes[static_cast<std::size_t>(machine::Port::W)][0],
            1 << static_cast<int>(machine::Port::Ramp));
}

/// A front message that the PE has taken and the east has not is no longer among the messages that the PE still
/// expects.
TEST(StreamRecord, AFrontThatIsHalfServedHasComeToThePe) {
  StreamRecord record({.rows = 1, .cols = 2});
  record.append(kSent);
  machine::HangSnapshot s = empty();
  s.shape = {.rows = 1, .cols = 2};
  s.rows.resize(1);
  s.tiles[0].buffers[static_cast<std::size_t>(machine::Port::W)][0] = 4;
  s.tiles[0].ramp[0] = 1;
  std::vector<TileStatus> status(2);
  for (const bool waits : {false, true}) {
    machine::HangSnapshot now = s;
    status[0].w_to_pe = waits;
    status[0].w_to_east = true;
    record.restore(now, 6, status);
    EXPECT_EQ(now.tiles[0].w, std::vector{kSent[waits ? 1 : 2]});
    EXPECT_EQ(now.tiles[1].state.low_half, 0x1234);
    EXPECT_EQ(now.tiles[1].state.instructions[5], 0U);
  }
}

TEST(StreamRecord, AnOldProgramStaysOverASessionAndRoutesDoNot) {
  StreamRecord record(kShape, 3);
  const std::uint16_t route =
      1 << 11 | static_cast<int>(machine::Port::Ramp) << 8 | 1 << static_cast<int>(machine::Port::S);
  record.append(std::vector{machine::Message::command(machine::Command::Route, 0, route)});
  record.append(kSent);
  machine::HangSnapshot s = empty();
  record.restore(s, 7, std::vector<TileStatus>(2));
  constexpr auto kRamp = static_cast<std::size_t>(machine::Port::Ramp);
  EXPECT_EQ(s.tiles[0].state.routes[kRamp][1], 1 << static_cast<int>(machine::Port::S));
  EXPECT_EQ(s.tiles[1].state.routes[kRamp][1], 0) << "off the wafer: refused";
  record.begin();
  machine::HangSnapshot later = empty();
  record.restore(later, 0, std::vector<TileStatus>(2));
  EXPECT_EQ(later.tiles[1].state.instructions[5], 0xabcd1234U);
  EXPECT_EQ(later.tiles[0].state.routes[kRamp][1], 0);
}

}  // namespace
}  // namespace weft::board::stream_record_test
