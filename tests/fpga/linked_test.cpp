/// fpga/link/weft_board.sv: the light "a host has a session and was heard of lately" distinguishes a board that runs
/// from one without a link.
#include <gtest/gtest.h>

#include "Vweft_board_linked.h"
#include "tests/clock.hpp"
#include "tests/fpga/frames.hpp"

namespace weft::test {
namespace {

// As tests/fpga/CMakeLists.txt builds it.
constexpr int kSilence = 8192;  // cycles
constexpr std::uint32_t kSession = 77;

struct LinkedBoard {
  LinkedBoard() {
    dut.tx_ready_i = 1;
    dut.rst_i = 1;
    run(4);
    dut.rst_i = 0;
    run(8);
  }
  void cycle() {
    dut.clk_i = dut.wafer_clk_i = 0;
    dut.eval();
    dut.clk_i = dut.wafer_clk_i = 1;
    dut.eval();
  }
  void run(int cycles) {
    for (int i = 0; i < cycles; ++i) cycle();
  }
  void send(std::uint8_t kind, Bytes payload = {}) {
    const auto beat = [&](unsigned b) {
      dut.rx_valid_i = 1;
      dut.rx_beat_i = static_cast<SData>(b);
      while (dut.eval(), !dut.rx_ready_o) cycle();
      cycle();
      dut.rx_valid_i = 0;
    };
    for (const std::uint8_t b : encode({.session = kSession, .kind = kind, .payload = std::move(payload)})) beat(b);
    beat(0x100);
    run(8);
  }
  bool linked() const { return dut.linked_o != 0; }

  struct OneThread : VerilatedContext {
    OneThread() { threads(1); }
  } context;
  Vweft_board_linked dut{&context};
};

TEST(Linked, IsABoardWhoseHostIsHeardOf) {
  LinkedBoard board;
  EXPECT_FALSE(board.linked());
  board.run(2 * kSilence);
  EXPECT_FALSE(board.linked()) << "nobody has begun a session";
  board.send(kHello, Bytes(4, 0));
  EXPECT_TRUE(board.linked());
  board.run(kSilence / 2);
  EXPECT_TRUE(board.linked());
  board.run(kSilence);
  EXPECT_FALSE(board.linked()) << "its host is silent";
  EXPECT_TRUE(board.dut.session_o) << "and may yet come back";
  board.send(kPoll);
  EXPECT_TRUE(board.linked());
  board.send(kBye);
  EXPECT_FALSE(board.linked());
}

}  // namespace
}  // namespace weft::test
