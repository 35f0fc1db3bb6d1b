/// fpga/link/weft_link.sv between a simulated host and a simulated wafer.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "Vweft_link.h"
#include "sw/machine/message.hpp"
#include "tests/clock.hpp"
#include "tests/fpga/frames.hpp"
#include "tests/random.hpp"

namespace weft::test {

// As tests/fpga/CMakeLists.txt builds it.
inline constexpr int kRows = 2;
inline constexpr int kTimer = 512;     // cycles until DATA is sent again
inline constexpr int kSilence = 8192;  // cycles until another host may begin a session
inline constexpr std::uint16_t kRoom = 4092;

struct LinkBench {
  LinkBench() {
    dut.tx_ready_i = 1;
    reset(dut);
    run(8);
  }

  void cycle() {
    dut.valve_ready_i = rng.chance(valve_percent);
    dut.tx_ready_i = rng.chance(line_percent);
    dut.outlet_valid_i = 0;
    for (int row = 0; row < kRows; ++row) {
      const auto& words = outlets[static_cast<std::size_t>(row)];
      if (words.empty()) continue;
      dut.outlet_valid_i |= static_cast<CData>(1u << row);
      dut.outlet_data_i &= ~(QData{0xffffffff} << (32 * row));
      dut.outlet_data_i |= QData{words.front()} << (32 * row);
    }
    dut.chain_i = chain;  // debug chain: its output returns as its input
    dut.clk_i = 0;
    dut.eval();
    chain = dut.chain_o;
    if (dut.valve_valid_o && dut.valve_ready_i) valve.push_back({dut.valve_data_o, dut.valve_ctrl_o != 0});
    for (int row = 0; row < kRows; ++row)
      if (dut.outlet_valid_i & dut.outlet_ready_o & 1u << row) outlets[static_cast<std::size_t>(row)].pop_front();
    if (dut.tx_valid_o && dut.tx_ready_i) {
      if (dut.tx_beat_o & 0x100) {
        came(packet);
        packet.clear();
      } else {
        packet.push_back(static_cast<std::uint8_t>(dut.tx_beat_o));
      }
    }
    if (dut.wafer_rst_o) ++resets;
    dut.clk_i = 1;
    dut.eval();
    ++cycles;
  }
  void run(int n) {
    for (int i = 0; i < n; ++i) cycle();
  }

  /// Sends a frame as it is; returns when the board has decided.
  void send(const Bytes& bytes, bool damaged = false) {
    const auto beat = [&](unsigned b) {
      dut.rx_valid_i = 1;
      dut.rx_beat_i = static_cast<SData>(b);
      while (dut.eval(), !dut.rx_ready_o) cycle();
      cycle();
      dut.rx_valid_i = 0;
    };
    for (const std::uint8_t b : bytes) beat(b);
    beat(0x100 | damaged);
    run(4);
  }
  void send(const Frame& f) { send(encode(f)); }

  void hello(std::uint32_t id, std::uint32_t follows = 0) {
    Frame f{.session = id, .kind = kHello};
    put(f.payload, follows, 4);
    send(f);
  }
  /// Begins a session and takes its ABOUT.
  void begin(std::uint32_t id = 0x12345678) {
    session = id;
    seq = ack = debugs = 0;
    hello(id);
    run(200);
    ASSERT_EQ(frames.size(), 1u);
    ASSERT_EQ(frames[0].kind, kAbout);
    frames.clear();
    resets = 0;
  }
  Frame frame(std::uint8_t kind, Bytes payload = {}) const {
    return {.session = session, .kind = kind, .ack = ack, .payload = std::move(payload)};
  }
  /// Sends the host's next DATA.
  void data(const Bytes& payload) {
    Frame f = frame(kData, payload);
    f.seq = seq++;
    send(f);
  }
  /// Sends a stream in pieces, each when there is room for it.
  void stream(const Bytes& bytes, std::size_t piece = 512) {
    for (std::size_t i = 0; i < bytes.size(); i += piece) {
      const std::size_t n = std::min(piece, bytes.size() - i);
      for (int k = 0; room < n; ++k) {
        ASSERT_LT(k, 1000000) << "no room comes";
        cycle();
      }
      room -= n;  // until a frame reports more
      data(Bytes(bytes.begin() + static_cast<std::ptrdiff_t>(i), bytes.begin() + static_cast<std::ptrdiff_t>(i + n)));
    }
  }
  /// Runs for so many cycles; returns the one frame of a kind that arrives.
  std::optional<Frame> answer(std::uint8_t kind, int n = 300) {
    run(n);
    std::optional<Frame> found;
    for (const Frame& f : frames) {
      if (f.kind != kind) continue;
      EXPECT_FALSE(found.has_value()) << "twice";
      found = f;
    }
    frames.clear();
    return found;
  }
  Status status() {
    send(frame(kPoll));
    const auto f = answer(kStatus);
    EXPECT_TRUE(f.has_value());
    return f ? read_status(f->payload) : Status{};
  }

  /// Handles a packet of the board. Each must be a frame with a right checksum, or one that a new session has cut.
  void came(const Bytes& bytes) {
    const auto f = decode(bytes, {.data = ack, .ack = seq, .debug = debugs});
    if (!f) {
      cut.push_back(bytes);
      return;
    }
    frames.push_back(*f);
    if (f->session == session && f->ack == seq) room = f->room;
  }

  Vweft_link dut;
  Rng rng{1};
  unsigned valve_percent = 100, line_percent = 100;
  std::uint32_t session = 0;
  std::uint32_t seq = 0, ack = 0, debugs = 0;  // next numbers of the host's DATA, the board's DATA, the host's DEBUG
  std::size_t room = kRoom;
  std::vector<Frame> frames;
  std::vector<Bytes> cut;
  std::vector<machine::Message> valve;
  std::array<std::deque<std::uint32_t>, kRows> outlets;
  Bytes packet;
  CData chain = 0;
  int resets = 0;  // cycles
  std::uint64_t cycles = 0;
};

/// A record of messages.
inline Bytes messages_record(const std::vector<machine::Message>& messages) {
  Bytes b{1};
  put(b, messages.size(), 2);
  for (const machine::Message& m : messages) {
    b.push_back(m.ctrl);
    put(b, m.data, 4);
  }
  return b;
}

}  // namespace weft::test
