/// The kernel that a tile is reported to run.
#include "verif/trace/tile_calls.hpp"

#include <gtest/gtest.h>

#include "sw/machine/message.hpp"

namespace weft::trace {
namespace {

std::uint64_t bits(const machine::Message& m) { return static_cast<std::uint64_t>(m.ctrl) << 37 | m.data; }

class Calls : public testing::Test {
 protected:
  void call(const char* kernel) {
    calls_.observe(bits(machine::Message::command(machine::Command::Call, 0,
                                                  static_cast<std::uint16_t>(program_.kernel(kernel)->address))));
  }
  void set(std::uint8_t reg, std::uint16_t value) {
    calls_.observe(bits(machine::Message::command(machine::Command::Setreg, reg, value)));
  }
  void select(machine::Selection tiles) { calls_.observe(bits(machine::Message::select(tiles))); }

  const assembler::Program program_ =
      assembler::assemble(".kernel add n=r1 first=r2\n  halt\n.kernel rest\n  halt\n", "k.s");
  TileCalls calls_{&program_, {.row = 1, .col = 2}};
};

TEST_F(Calls, BeginInTheirOrderWithTheArgumentsOfTheirTime) {
  EXPECT_EQ(calls_.running(), "-");
  set(1, 8), set(2, 0x1a0), call("add");
  set(1, 9), call("add");  // before the first has begun
  EXPECT_EQ(calls_.running(), "-");
  calls_.begins();
  EXPECT_EQ(calls_.running(), "add n=8 first=0x1a0");
  calls_.begins();
  EXPECT_EQ(calls_.running(), "add n=9 first=0x1a0");
  calls_.rests();
  EXPECT_EQ(calls_.running(), "-");
  calls_.begins();  // without a preceding call
  EXPECT_EQ(calls_.running(), "-");
}

TEST_F(Calls, AreTheTilesThatAreSelected) {
  select({.row = 0}), set(1, 3), call("add");
  select({.row = 1, .col = 3}), call("add");
  select({.row = 1, .col = 2}), set(1, 4), call("add");
  calls_.begins();
  EXPECT_EQ(calls_.running(), "add n=4 first=0");
  calls_.rests();
  select({.row = 1}), call("rest");
  select({}), set(1, 5), call("add");
  calls_.begins();
  EXPECT_EQ(calls_.running(), "rest");
  calls_.begins();
  EXPECT_EQ(calls_.running(), "add n=5 first=0");
}

TEST_F(Calls, DataIsNoCommand) {
  calls_.observe(bits(machine::Message::weight(0, 0x3f80)));
  machine::Message call = machine::Message::command(machine::Command::Call, 0, 0);
  call.ctrl = false;
  calls_.observe(bits(call));
  calls_.begins();
  EXPECT_EQ(calls_.running(), "-");
}

TEST_F(Calls, WithoutAProgramAKernelIsANumber) {
  TileCalls calls(nullptr, {.row = 1, .col = 2});
  calls.observe(bits(machine::Message::command(machine::Command::Call, 0, 12)));
  calls.begins();
  EXPECT_EQ(calls.running(), "pc 12");
}

}  // namespace
}  // namespace weft::trace
