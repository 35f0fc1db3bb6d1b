/// fpga/ethernet/weft_rgmii.sv with models of its cells: the bits of a byte on each edge, and the status that a PHY
/// reports between frames.
#include <gtest/gtest.h>

#include <vector>

#include "Vweft_rgmii.h"
#include "tests/random.hpp"

namespace weft::test {
namespace {

/// One cycle of the line: control and four bits with the rising edge, and with the falling one.
struct Edges {
  unsigned early = 0, late = 0;
  bool operator==(const Edges&) const = default;
};
constexpr unsigned kControl = 16;

/// The GMII outputs of rgmii in a cycle.
struct Gmii {
  bool valid = false, error = false;
  unsigned data = 0;
  bool operator==(const Gmii&) const = default;
};

/// A PHY, whose data is valid before each edge of its clock.
struct Phy {
  Gmii cycle(Edges in, Gmii out = {}) {
    dut.valid_i = out.valid;
    dut.data_i = static_cast<CData>(out.data);
    pins(in.early);
    dut.rxc_i = 1;
    dut.eval();
    // The PHY samples with a delayed clock: in the middle of the data that belongs to its edge.
    const bool first = dut.txc_o;
    (first ? sent.early : sent.late) = out_pins();
    pins(in.late);
    dut.rxc_i = 0;
    dut.eval();
    EXPECT_NE(first, dut.txc_o) << "our clock goes with the PHY's";
    (first ? sent.late : sent.early) = out_pins();
    return {.valid = dut.valid_o != 0, .error = dut.error_o != 0, .data = dut.data_o};
  }
  void pins(unsigned bits) {
    dut.rxd_i = bits & 15;
    dut.rx_ctl_i = bits >> 4 & 1;
    dut.eval();
  }
  unsigned out_pins() const { return static_cast<unsigned>(dut.tx_ctl_o) << 4 | dut.txd_o; }
  /// Runs enough cycles for the input to appear at the outputs.
  Gmii seen(Edges in) {
    for (int i = 0; i < 3; ++i) cycle(in);
    return cycle(in);
  }
  bool linked_after(Edges in) {
    seen(in);
    return dut.linked_o != 0;
  }

  Vweft_rgmii dut;
  Edges sent;
};

Edges byte(unsigned value) { return {kControl | (value & 15), kControl | value >> 4}; }
/// Status between frames: bit 0 a link, bits 1 and 2 its speed, bit 3 full duplex (RGMII 2.0, 3.4.1).
Edges says(unsigned status) { return {status, status}; }
constexpr unsigned kGigabit = 0b1101;

TEST(Rgmii, TakesTheLowHalfWithTheRisingEdge) {
  Phy phy;
  EXPECT_EQ(phy.seen(byte(0xa5)), (Gmii{.valid = true, .error = false, .data = 0xa5}));
  EXPECT_EQ(phy.seen(byte(0x0f)).data, 0x0fu);
  EXPECT_EQ(phy.seen(byte(0xf0)).data, 0xf0u);
  EXPECT_FALSE(phy.seen(says(kGigabit)).valid);
}

TEST(Rgmii, TakesBytesInOrderWithoutAGap) {
  Phy phy;
  Rng rng(test_seed());
  std::vector<unsigned> sent;
  std::vector<unsigned> got;
  for (int i = 0; i < 300; ++i) {
    const bool gap = i < 4 || i >= 290;
    if (!gap) sent.push_back(rng.below(256));
    const Gmii g = phy.cycle(gap ? says(kGigabit) : byte(sent.back()));
    if (g.valid) got.push_back(g.data);
    EXPECT_FALSE(g.error);
  }
  EXPECT_EQ(got, sent);
}

TEST(Rgmii, SaysWhatThePhyCallsWrong) {
  Phy phy;
  EXPECT_EQ(phy.seen({kControl | 5, 10}), (Gmii{.valid = true, .error = true, .data = 0xa5}))
      << "control falls: an error";
  EXPECT_FALSE(phy.seen(byte(0xa5)).error);
  EXPECT_FALSE(phy.seen({5, kControl | 10}).valid) << "between frames it is no byte";
}

TEST(Rgmii, HasALinkOnlyAtAGigabit) {
  for (unsigned status = 0; status < 16; ++status)
    for (const bool before : {false, true}) {
      Phy phy;
      ASSERT_EQ(phy.linked_after(says(before ? kGigabit : 0)), before);
      EXPECT_EQ(phy.linked_after(says(status)), (status & 7) == 5) << status;
    }
}

TEST(Rgmii, HearsOfALinkOnlyBetweenFrames) {
  Phy phy;
  ASSERT_TRUE(phy.linked_after(says(kGigabit)));
  for (unsigned value = 0; value < 256; ++value) {
    EXPECT_TRUE(phy.linked_after(byte(value))) << "data";
    EXPECT_TRUE(phy.linked_after({kControl | (value & 15), value >> 4})) << "an error in a frame";
    EXPECT_TRUE(phy.linked_after({value & 15, kControl | value >> 4})) << "an error between frames";
  }
  ASSERT_FALSE(phy.linked_after(says(0)));
  for (unsigned value = 0; value < 256; ++value) {
    EXPECT_FALSE(phy.linked_after(byte(value)));
    EXPECT_FALSE(phy.linked_after({value & 15, kControl | value >> 4}));
  }
}

TEST(Rgmii, SendsTheLowHalfWithTheRisingEdge) {
  Phy phy;
  Rng rng(test_seed());
  std::vector<Edges> expected, sent;
  for (int i = 0; i < 300; ++i) {
    const bool gap = i < 4 || i % 50 == 7 || i >= 290;
    const unsigned value = rng.below(256);
    phy.cycle(says(kGigabit), {.valid = !gap, .error = false, .data = value});
    if (phy.sent.early & kControl) sent.push_back(phy.sent);
    if (!gap) expected.push_back(byte(value));
    EXPECT_EQ(phy.sent.early & kControl, phy.sent.late & kControl) << "nothing is called wrong";
  }
  EXPECT_EQ(sent, expected);
}

}  // namespace
}  // namespace weft::test
