/// fpga/ethernet/weft_packet_fifo.sv between independent clocks.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <vector>

#include "Vweft_packet_fifo.h"
#include "tests/random.hpp"

namespace weft::test {
namespace {

using Packet = std::vector<unsigned>;

/// As tests/fpga/CMakeLists.txt builds it: 256 beats.
struct Fifo {
  Fifo(double writer, double reader, std::uint64_t seed) : rng(seed), write_period(writer), read_period(reader) {
    dut.write_rst_i = dut.read_rst_i = 1;
    for (int i = 0; i < 3; ++i) edge();
    for (int i = 0; i < 3; ++i) write_edge(), read_edge();
    dut.write_rst_i = dut.read_rst_i = 0;
  }
  /// Makes the next edge of either clock; both drift, so each edge occurs at any point of the other clock's period.
  void edge() {
    if (next_write <= next_read) {
      write_edge();
      next_write += write_period * (0.9 + 0.002 * rng.below(100));
    } else {
      read_edge();
      next_read += read_period * (0.9 + 0.002 * rng.below(100));
    }
  }
  void write_edge() {
    dut.write_i = dut.commit_i = 0;
    dut.write_clk_i = 0;
    dut.eval();
    if (!dut.write_rst_i) write();
    dut.eval();
    dut.write_clk_i = 1;
    dut.eval();
  }
  /// Writes a packet's contents before its header, then commits; one packet in four is abandoned.
  void write() {
    if (order.empty() && !waits) {
      if (packets.empty()) return;
      const std::size_t n = packets.front().size(), header = std::min<std::size_t>(rng.below(58), n);
      for (std::size_t i = header; i-- > 0;) order.push_back(i);
      for (std::size_t i = n; i-- > header;) order.push_back(i);
      waits = true;
      given_up = rng.chance(25);
      return;
    }
    if (!order.empty()) {
      if (dut.full_o || rng.chance(pause)) return;
      dut.write_i = 1;
      dut.offset_i = static_cast<CData>(order.back());
      dut.beat_i = static_cast<SData>(given_up ? rng.below(256) : packets.front()[order.back()]);
      order.pop_back();
      return;
    }
    waits = false;
    if (given_up) return;
    dut.commit_i = 1;
    dut.length_i = static_cast<CData>(packets.front().size());
    expected.push_back(packets.front());
    packets.pop_front();
  }
  void read_edge() {
    dut.ready_i = rng.chance(ready_percent);
    dut.read_clk_i = 0;
    dut.eval();
    if (dut.valid_o && dut.ready_i) {
      packet.push_back(dut.beat_o);
      if (dut.beat_o & 0x100) {
        ASSERT_FALSE(expected.empty()) << "it was not committed";
        ASSERT_EQ(packet, expected.front()) << "packet " << count;
        expected.pop_front();
        packet.clear();
        ++count;
      }
    }
    dut.read_clk_i = 1;
    dut.eval();
  }

  Vweft_packet_fifo dut;
  Rng rng;
  double write_period, read_period, next_write = 0, next_read = 0.3;
  std::uint32_t ready_percent = 90, pause = 20;
  std::deque<Packet> packets, expected;
  std::vector<std::size_t> order;
  bool waits = false, given_up = false;
  Packet packet;
  int count = 0;
};

TEST(PacketFifo, CarriesWholePacketsBetweenAnyClocks) {
  const std::uint64_t seed = test_seed();
  for (const double reader : {0.24, 0.9, 1.0, 1.1, 3.125})
    for (const std::uint32_t ready : {15u, 90u, 100u}) {
      SCOPED_TRACE(std::to_string(reader) + " " + std::to_string(ready));
      Fifo f(1, reader, seed);
      f.ready_percent = ready;
      f.pause = ready < 50 ? 0 : 20;
      for (int i = 0; i < 600; ++i) {  // more than the counter's range
        Packet p(2 + f.rng.below(i % 7 == 0 ? 120 : 20));
        for (unsigned& beat : p) beat = f.rng.below(256);
        p.back() |= 0x100;
        f.packets.push_back(p);
      }
      for (int n = 0; f.count < 600; ++n) {
        ASSERT_LT(n, 3000000) << "it does not go on";
        f.edge();
        if (testing::Test::HasFatalFailure()) return;
      }
    }
}

TEST(PacketFifo, ShowsNothingThatIsNotCommitted) {
  Fifo f(1, 1, 1);
  for (int i = 0; i < 50; ++i) {
    f.dut.write_i = 1;
    f.dut.offset_i = static_cast<CData>(i);
    f.dut.beat_i = 0x100;
    f.dut.write_clk_i = 0, f.dut.eval(), f.dut.write_clk_i = 1, f.dut.eval();
    f.read_edge();
    EXPECT_FALSE(f.dut.valid_o);
  }
}

}  // namespace
}  // namespace weft::test
