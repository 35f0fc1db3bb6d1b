/// fpga/ethernet/weft_ethernet.sv between a simulated network and a simulated link.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "Vweft_ethernet.h"
#include "fpga/emulator/ethernet_frame.hpp"
#include "tests/clock.hpp"
#include "tests/fpga/frames.hpp"
#include "tests/random.hpp"

namespace weft::test {

// The default parameters of weft_ethernet.sv.
inline constexpr emulator::EthernetAddress kBoard{
    .mac = {2, 0x57, 0x45, 0x46, 0x54, 1}, .ip = {192, 168, 1, 50}, .port = 4177};
inline constexpr emulator::EthernetAddress kHost{.mac = {2, 1, 2, 3, 4, 5}, .ip = {192, 168, 1, 7}, .port = 50123};
inline constexpr emulator::EthernetAddress kOther{.mac = {2, 1, 2, 3, 4, 6}, .ip = {192, 168, 1, 8}, .port = 50123};

/// Frames begin with the destination's MAC and end with the checksum.
struct EthernetBench {
  EthernetBench() {
    dut.rx_ready_i = 1;
    dut.linked_i = 1;
    dut.rst_i = 1;
    step_line();
    step_board();
    dut.rst_i = 0;
    come_up();
  }
  /// Runs until the line is up.
  void come_up() {
    for (int n = 0; !dut.up_o; ++n) {
      ASSERT_LT(n, 2000) << "the line does not come up";
      cycle();
    }
    run(20);
  }

  /// Puts a frame on the line, after a preamble; `gap` cycles of the line before it.
  void send(const Bytes& frame, int gap = 12) {
    line.insert(line.end(), static_cast<std::size_t>(gap), -1);
    line.insert(line.end(), 7, 0x55);
    line.push_back(0xd5);
    line.insert(line.end(), frame.begin(), frame.end());
  }
  void send(const emulator::EthernetAddress& from, const Bytes& payload) {
    send(emulator::pack({from, kBoard, payload}));
  }
  /// Sends a frame of the link from its board.
  void answer(const Bytes& frame) {
    for (const std::uint8_t b : frame) up.push_back(b);
    up.push_back(0x100);
  }
  /// Begins a session.
  void begin(const emulator::EthernetAddress& host = kHost, std::uint32_t session = 7) {
    send(host, hello(session));
    settle();
    ASSERT_EQ(got.size(), 1u);
    got.clear();
    dut.begun_i = 1;
    cycle();
    dut.begun_i = 0;
  }
  static Bytes hello(std::uint32_t session) {
    return encode({.session = session, .kind = kHello, .payload = {0, 0, 0, 0}});
  }

  /// Advances by a cycle of the line's clock, and by the board's cycles that fall into it.
  void cycle() {
    if (line_runs) step_line();
    phase += board_clock;
    if (phase < 1) return;
    phase -= 1;
    step_board();
  }
  void run(int n) {
    for (int i = 0; i < n; ++i) cycle();
  }
  /// Runs until nothing more happens.
  void settle() {
    for (int quiet = 0, n = 0; quiet < 200; ++n) {
      ASSERT_LT(n, 1000000) << "it does not come to rest";
      cycle();
      quiet = dut.busy_o || !line.empty() || !up.empty() ? 0 : quiet + 1;
    }
  }

  void step_line() {
    const int byte = line.empty() ? -1 : line.front();
    if (!line.empty()) line.pop_front();
    dut.gmii_valid_i = byte >= 0;
    dut.gmii_error_i = error_in > 0 && --error_in == 0;
    dut.gmii_data_i = static_cast<CData>(byte >= 0 ? byte : rng.below(256));
    dut.line_clk_i = 0;
    dut.eval();
    if (dut.gmii_valid_o) {
      if (now.empty()) gaps.push_back(silent);
      now.push_back(dut.gmii_data_o);
      silent = 0;
    } else {
      if (!now.empty()) came(std::exchange(now, {}));
      ++silent;
    }
    dut.line_clk_i = 1;
    dut.eval();
  }
  void step_board() {
    dut.rx_ready_i = rng.chance(ready_percent);
    dut.tx_valid_i = !up.empty();
    dut.tx_beat_i = static_cast<SData>(up.empty() ? 0 : up.front());
    dut.clk_i = 0;
    dut.eval();
    if (dut.rx_valid_o && dut.rx_ready_i) {
      if (dut.rx_beat_o & 0x100) {
        damaged += dut.rx_beat_o & 1;
        got.push_back(std::exchange(frame, {}));
      } else {
        frame.push_back(static_cast<std::uint8_t>(dut.rx_beat_o));
      }
    }
    if (dut.tx_valid_i && dut.tx_ready_o) up.pop_front();
    dut.clk_i = 1;
    dut.eval();
  }
  void came(const Bytes& bytes) {
    if (upset) return;
    ASSERT_GE(bytes.size(), 8u + 64u) << "padded, and with a checksum";
    for (int i = 0; i < 7; ++i) ASSERT_EQ(bytes[static_cast<std::size_t>(i)], 0x55);
    ASSERT_EQ(bytes[7], 0xd5);
    sent.emplace_back(bytes.begin() + 8, bytes.end());
  }

  Vweft_ethernet dut;
  Rng rng{1};
  double board_clock = 0.32;  // 40 MHz, relative to 125
  double phase = 0;
  std::uint32_t ready_percent = 100;
  bool line_runs = true;    // the PHY's clock
  bool upset = false;       // transmitted bytes are arbitrary
  std::deque<int> line;     // bytes that arrive, -1: silence
  std::deque<unsigned> up;  // beats of the link
  int error_in = 0;         // bytes until the PHY reports an error
  Bytes now, frame;
  std::vector<Bytes> sent, got;  // frames on the line; frames of the link
  std::vector<int> gaps;         // cycles of silence before each frame
  int silent = 0, damaged = 0;
};

}  // namespace weft::test
