/// fpga/weft_lights.sv: a board shows without the PLL's clock that its PLL does not lock, on lights of both polarities.
#include <gtest/gtest.h>

#include "Vweft_lights.h"

namespace weft::test {
namespace {

// As tests/fpga/CMakeLists.txt builds it: five lights, an oscillator of 1 kHz, so all lit and all dark together take
// 2^7 cycles of it.
constexpr int kPeriod = 128;
constexpr unsigned kAll = 31;

struct Lights {
  /// Returns the lit lights after a cycle of the oscillator.
  unsigned cycle(bool locked, unsigned lit) {
    dut.locked_i = locked;
    dut.lit_i = static_cast<CData>(lit);
    dut.osc_i = 0;
    dut.eval();
    dut.osc_i = 1;
    dut.eval();
    return WEFT_LOW ? ~dut.led_o & kAll : dut.led_o;
  }
  /// Numbers of cycles in which all are lit, none is, the lights have changed.
  struct Seen {
    int all = 0, none = 0, changes = 0;
  };
  Seen observe(bool locked, unsigned lit, int cycles) {
    Seen seen;
    for (int i = 0; i < cycles; ++i) {
      const unsigned now = cycle(locked, lit);
      seen.all += now == kAll;
      seen.none += now == 0;
      seen.changes += now != last;
      last = now;
    }
    return seen;
  }
  Vweft_lights dut;
  unsigned last = 0;
};

TEST(Lights, FlashTogetherWithoutALock) {
  for (const unsigned lit : {0u, 1u, 0b10101u, kAll}) {  // in whatever state the link's lights are
    Lights lights;
    const auto seen = lights.observe(false, lit, 10 * kPeriod);
    EXPECT_EQ(seen.all, 5 * kPeriod);
    EXPECT_EQ(seen.none, 5 * kPeriod);
    EXPECT_NEAR(seen.changes, 20, 1);
  }
}

TEST(Lights, AreThoseOfTheLinkWithALock) {
  Lights lights;
  for (int i = 0; i < 3; ++i) lights.cycle(true, 0);
  for (unsigned lit = 0; lit <= kAll; ++lit)
    for (int i = 0; i < kPeriod; ++i) ASSERT_EQ(lights.cycle(true, lit), lit);
}

TEST(Lights, FlashAgainWhenTheLockIsLost) {
  Lights lights;
  lights.observe(true, 2, kPeriod);
  lights.observe(false, 2, 4);
  const auto seen = lights.observe(false, 2, 2 * kPeriod);
  EXPECT_EQ(seen.all, kPeriod);
  EXPECT_EQ(seen.none, kPeriod);
}

}  // namespace
}  // namespace weft::test
