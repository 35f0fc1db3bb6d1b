/// The simulator with 24 colors and queues of two messages: words of all colors wait at the same time.
#include <gtest/gtest.h>

#include <array>

#include "sw/asm/assembler.hpp"
#include "verif/wafer.hpp"

namespace weft::sim {
namespace {

constexpr int kColors = 24, kWords = 3;
constexpr int kWest = static_cast<int>(machine::Color::West);

void send(Wafer& wafer, machine::Command code, int arg, std::uint32_t value) {
  const machine::Message m =
      machine::Message::command(code, static_cast<std::uint8_t>(arg), static_cast<std::uint16_t>(value));
  wafer.feed({&m, 1});
}

TEST(ManyColors, WaitSideBySide) {
  // Row 0 sends words of all colors; row 1 takes the last color first, and returns the words it took.
  std::string source = "fork p\nhalt\np: csrr r1, ROW\nbne r1, r0, take\n";
  std::vector<std::uint32_t> expected;
  for (int c = 1; c < kColors; ++c)
    for (int n = 0; n < kWords && c != kWest; ++n)
      source += "li r2, " + std::to_string(100 * c + n) + "\nsnd " + std::to_string(c) + ", r2\n";
  source += "halt\ntake:\n";
  for (int c = kColors - 1; c > 0; --c) {
    for (int n = 0; n < kWords && c != kWest; ++n) {
      source += "rcv r2, " + std::to_string(c) + "\nsnd WEST, r2\n";
      expected.push_back(static_cast<std::uint32_t>(100 * c + n));
    }
  }
  source += "halt\n";

  EXPECT_THROW(make_rtl_wafer({.rows = 2, .cols = 1, .lanes = 2}), std::invalid_argument) << "4 colors are not built";
  const auto wafer = make_rtl_wafer({.rows = 2, .cols = 1, .lanes = 2, .colors = kColors});
  constexpr int north = 0, south = 2, west = 3, ramp = 4;
  const auto route = [&](int row, int color, int in, int out) {
    wafer->feed(std::array{machine::Message::select({.row = row})});
    send(*wafer, machine::Command::Route, 0, color << 11 | in << 8 | 1 << out);
  };
  for (int c = 1; c < kColors; ++c) {
    if (c != kWest) route(0, c, ramp, south), route(1, c, north, ramp);
  }
  route(1, kWest, ramp, west);
  wafer->feed(std::array{machine::Message::select()});
  send(*wafer, machine::Command::Iaddr, 0, 0);
  for (const std::uint32_t word : assembler::assemble(source, "test.s").words) {
    send(*wafer, machine::Command::Ilo, 0, word & 0xffff);
    send(*wafer, machine::Command::Ihi, 0, word >> 16);
  }
  send(*wafer, machine::Command::Call, 0, 0);
  wafer->await(std::vector<std::uint64_t>{0, expected.size()});
  EXPECT_EQ(wafer->outlet(1), expected);
  wafer->settle();
  EXPECT_EQ(wafer->flags(), "");

  send(*wafer, machine::Command::Route, 0, kColors << 11 | ramp << 8 | 1 << ramp);
  wafer->settle();
  EXPECT_EQ(wafer->flags(), "row 0 column 0: BAD_COLOR; row 1 column 0: BAD_COLOR");
}

}  // namespace
}  // namespace weft::sim
