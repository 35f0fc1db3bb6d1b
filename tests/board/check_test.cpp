/// `weft board` with a board's RTL, emulated in a separate process.
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "host/board/device.hpp"
#include "host/board/emulator.hpp"
#include "host/board/link/session.hpp"
#include "tests/cli/program.hpp"

namespace weft::board {
namespace {

class WeftBoard : public testing::Test {
 protected:
  cli::ProgramResult check(const std::string& device) const { return cli::run_program(folder_, {"board", device}); }

  static void expect_good(const cli::ProgramResult& result) {
    EXPECT_EQ(result.status, 0) << result.out << result.err;
    for (const char* words : {"  ok    emulated, 4 x 2 tiles, 4 lanes, 24 KiB", "        valve - [0,0] - [0,1]\n",
                              "  ok    uses version 2 of the link protocol", "/fpga/emulated\n",
                              "  ok    loop-back: 512 random words through 8 tiles and back"})
      EXPECT_NE(result.out.find(words), std::string::npos) << words << "\n" << result.out;
    EXPECT_EQ(result.out.find("FAIL"), std::string::npos) << result.out;
  }

  const test::TemporaryFolder folder_;
};

TEST_F(WeftBoard, ChecksAnEmulatedBoardOverBothLines) {
  expect_good(check("emulated:udp"));
  expect_good(check("emulated"));
}

TEST_F(WeftBoard, NamesTheProcessThatHasTheBoard) {
  const Emulator serial(WEFT_BOARD_PROGRAM, {});
  const Device mine = open_device(serial.device(), 2000000, "");
  const cli::ProgramResult result = check(serial.device());
  EXPECT_EQ(result.status, 1);
  const std::string words = "  FAIL  " + serial.device() +
                            ": Device or resource busy. HINT: end the other program that has the device open: process ";
  EXPECT_NE(result.out.find(words), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("process " + std::to_string(::getpid()) + " ("), std::string::npos) << result.out;
}

using WeftBoardLong = WeftBoard;

TEST_F(WeftBoardLong, ChecksABoardOverABadLineTwice) {
  const Emulator udp(WEFT_BOARD_PROGRAM,
                     {"--udp", "0", "--seed", "5", "--flip", "1e-4", "--double", "0.05", "--delay", "0.05"});
  const Emulator serial(WEFT_BOARD_PROGRAM, {"--seed", "5", "--flip", "1e-4", "--cut", "1e-4"});
  for (int pass = 0; pass < 2; ++pass) {
    expect_good(check(udp.device()));
    expect_good(check(serial.device()));
  }
}

/// Takes five seconds, during which the board is silent.
TEST_F(WeftBoardLong, LeavesAnotherHostsSessionAlone) {
  const Emulator udp(WEFT_BOARD_PROGRAM, {"--udp", "0"});
  Device device = open_device(udp.device(), 2000000, "");
  Session session(std::move(device.line));
  session.open();
  std::atomic<bool> done = false;
  std::jthread works([&] {
    while (!done) EXPECT_TRUE(session.ask().idle());  // keeps the session active
  });
  const cli::ProgramResult result = check(udp.device());
  done = true;
  works.join();
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.out.find("  FAIL  no board answers: no bytes arrived. HINT: "), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("another run may use the board"), std::string::npos) << result.out;
}

}  // namespace
}  // namespace weft::board
