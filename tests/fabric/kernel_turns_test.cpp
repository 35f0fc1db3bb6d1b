/// The turns of KERNEL_TURNS (sw/isa/isa.py) are exactly those of the compiler's routes, as long as W does not turn
/// around: on few columns, and where wafers are boards.
#include <gtest/gtest.h>

#include <array>

#include "isa_machine.hpp"
#include "sw/compiler/program/load.hpp"

namespace weft::test::kernel_turns_test {
namespace {

constexpr unsigned kColors = isa::kColors, kPorts = std::size(isa::kPortNames);
using Turns = std::array<std::array<unsigned, kPorts>, kColors>;

/// Adds the turns of a wafer's routes, and of the reset.
void add(Turns& turns, const machine::WaferShape& shape) {
  turns[0][static_cast<unsigned>(machine::Port::W)] |=
      1u << static_cast<unsigned>(machine::Port::E) | 1u << static_cast<unsigned>(machine::Port::Ramp);
  for (const machine::Message& m : compiler::route_messages(shape)) {
    if (m.data >> 24 != static_cast<unsigned>(machine::Command::Route)) continue;
    const unsigned color = m.data >> 11 & 31, port = m.data >> 8 & 7;
    ASSERT_EQ(m.data >> 5 & 7, 0u);
    turns.at(color).at(port) |= m.data & 31;
  }
}

TEST(KernelTurns, AreThoseOfTheCompilersRoutes) {
  Turns needed{};
  for (const int rows : {1, 2, 3, 4, 5, 8, 127, 128})
    for (const int cols : {1, 2, 3, machine::WaferShape::kColsToTurn - 1, 128})
      add(needed, {.rows = rows, .cols = cols, .turns = cols < machine::WaferShape::kColsToTurn});
  for (unsigned c = 0; c < kColors; ++c)
    for (unsigned p = 0; p < kPorts; ++p)
      EXPECT_EQ(needed[c][p], isa::kKernelTurns[c][p]) << isa::kColorNames[c] << " from " << isa::kPortNames[p];
}

/// W from the east to the west and to the ramp, and back where it came from.
TEST(KernelTurns, AreMoreWhereWTurnsAround) {
  Turns needed{};
  for (const int cols : {machine::WaferShape::kColsToTurn, 128}) add(needed, {.rows = 4, .cols = cols});
  const auto is = [](machine::Port port) { return 1u << static_cast<unsigned>(port); };
  EXPECT_EQ(needed[0][static_cast<unsigned>(machine::Port::E)], is(machine::Port::W) | is(machine::Port::Ramp));
  EXPECT_EQ(needed[0][static_cast<unsigned>(machine::Port::W)],
            is(machine::Port::W) | is(machine::Port::E) | is(machine::Port::Ramp));
  for (unsigned c = 1; c < kColors; ++c)
    for (unsigned p = 0; p < kPorts; ++p) EXPECT_EQ(needed[c][p] & ~isa::kKernelTurns[c][p], 0u);
}

}  // namespace
}  // namespace weft::test::kernel_turns_test
