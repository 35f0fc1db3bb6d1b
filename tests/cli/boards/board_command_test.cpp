/// `weft board` end to end: the real code of command, link and line, with the board's half at a terminal.
#include "host/cli/boards/board_command.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "host/cli/boards/check_line.hpp"
#include "sw/base/refusal.hpp"
#include "tests/cli/boards/board_fixture.hpp"

namespace weft::cli {
namespace {

const machine::WaferShape kShape{.rows = 4, .cols = 2, .sram_kib = 24, .colors = isa::kColors, .turns = false};

class BoardCommand : public testing::Test {
 protected:
  int run(const config::Options& options = {}) {
    std::ostringstream out;
    const int code = board_command(options, out, machine_.system());
    text_ = out.str();
    return code;
  }
  void expect(const std::string& words) const {
    EXPECT_NE(text_.find(words), std::string::npos) << words << "\n" << text_;
  }
  void expect_not(const std::string& words) const {
    EXPECT_EQ(text_.find(words), std::string::npos) << words << "\n" << text_;
  }

  const test::TemporaryFolder folder_;
  const Machine machine_{folder_};
  std::string text_;
};

TEST_F(BoardCommand, FindsABoardAtUsbAndChecksAllOfIt) {
  BoardAtTerminal board(kShape);
  board.start();
  machine_.plug("1-2", "0403:6015", "ULX3S FPGA 85K v3.0.8");
  machine_.bind("1-2", "ttyUSB0", board.path(), 1);
  machine_.install_rule();
  EXPECT_EQ(run(), 0) << text_;
  expect("usb     1-2: ULX3S FPGA 85K v3.0.8, FT231X 0403:6015, perhaps of a board ULX3S, serial number D00084\n");
  expect("  ok    openFPGALoader -b ulx3s may open the adapter");
  expect("/dev/ttyUSB0 may be opened (driver ftdi_sio, group ");
  expect("  ok    latency timer 1 ms\n");
  expect("  ok    fake, 4 x 2 tiles, 4 lanes, 24 KiB");
  expect("        valve - [0,0] - [0,1]\n              - [1,0] - [1,1]\n");
  expect("  ok    uses version 2 of the link protocol, at 2000000 baud\n");
  expect("  ok    a short answer takes ");
  expect("  ok    loop-back: 512 random words through 8 tiles and back, in ");
  expect_not("FAIL");
}

TEST_F(BoardCommand, SaysHowToRestoreTheSerialLineAfterFlashing) {
  machine_.plug("3-1.4", "0403:6015", "ULX3S FPGA 85K v3.0.8");
  EXPECT_EQ(run(), 1);
  expect(
      "  FAIL  the adapter has no serial driver, as after make flash. HINT: unplug the board and plug it in again, or: "
      "echo "
      "3-1.4:1.0 | sudo tee /sys/bus/usb/drivers/ftdi_sio/bind");
}

TEST_F(BoardCommand, SaysThatTheDriverIsNotLoaded) {
  machine_.plug("1-2", "0403:6015", "ULX3S");
  std::filesystem::remove_all(folder_ / "sys/bus/usb/drivers");
  EXPECT_EQ(run(), 1);
  expect("HINT: load the driver: sudo modprobe ftdi_sio");
}

TEST_F(BoardCommand, KnowsBothCablesOfAnEcpix5) {
  machine_.plug("1-1", "0403:6010", "Dual RS232-HS", 2);
  machine_.plug("1-3", "0403:6011", "Quad RS232-HS", 4);
  machine_.plug("1-4", "1366:0105", "J-Link");
  EXPECT_EQ(run(), 1);
  expect("usb     1-1: Dual RS232-HS, FT2232H 0403:6010, perhaps of a board ECPIX-5, ");
  expect("openFPGALoader -b ecpix5 may open the adapter");
  expect("usb     1-3: Quad RS232-HS, FT4232H 0403:6011, perhaps of a board ECPIX-5 R03, ");
  expect("openFPGALoader -c ft4232 may open the adapter");
  expect("HINT: sudo ip addr add 192.168.1.1/24 dev eth0");
  expect_not("J-Link");
}

TEST_F(BoardCommand, NotesALatencyTimerOf16MsWithTheRuleThatLowersIt) {
  BoardAtTerminal board(kShape);
  board.start();
  machine_.plug("1-2", "0403:6015", "ULX3S");
  machine_.bind("1-2", "ttyUSB0", board.path());
  EXPECT_EQ(run(), 0) << text_;
  expect("  note  latency timer 16 ms: a short answer waits this long");
  expect("HINT: sudo cp ");
  expect("/70-weft-boards.rules /etc/udev/rules.d/ && sudo udevadm control --reload && sudo udevadm trigger.\n");
}

TEST_F(BoardCommand, FindsTheRateThatTheBoardIsMadeFor) {
  BoardAtTerminal board(kShape, 1000000);
  board.start();
  std::ostringstream out;
  Findings findings(out, false);
  EXPECT_FALSE(check_line(board.path(), {.patience = std::chrono::milliseconds(300)}, findings));
  text_ = out.str();
  expect(
      "  FAIL  no board answers at 2000000 baud, but one does at 1000000. HINT: use --fpga.baud 1000000 (here: --baud "
      "1000000)");
  EXPECT_EQ(run({{"device", board.path()}, {"baud", "1000000"}}), 0) << text_;
}

TEST_F(BoardCommand, NamesAnotherVersionOfTheLink) {
  BoardAtTerminal board(kShape);
  board.version = 3;
  board.start();
  EXPECT_EQ(run({{"device", board.path()}}), 1);
  expect(
      "  FAIL  a board answers with version 3 of the link protocol, this program uses version 2. HINT: load a "
      "bitstream");
}

TEST_F(BoardCommand, SaysWhatATileGivesBackWrong) {
  BoardAtTerminal board(kShape);
  board.board().flag = 1;
  board.start();
  EXPECT_EQ(run({{"device", board.path()}}), 1);
  expect("  FAIL  flags are set: row 0 edge NO_ROUTE");
}

TEST_F(BoardCommand, SaysWhyADeviceCannotBeOpened) {
  EXPECT_EQ(run({{"device", "/dev/ttyNone"}}), 1);
  expect("  FAIL  /dev/ttyNone: No such file or directory. HINT: ");
  EXPECT_EQ(run({{"device", "/dev/null"}}), 1);
  expect("  FAIL  /dev/null is not a serial device");
  EXPECT_EQ(run({{"device", "udp:127.0.0.1:0"}}), 1);
  expect("is not a port");
}

TEST_F(BoardCommand, PrintsNoByteOfANameThatATerminalObeys) {
  for (const bool json : {false, true}) {
    config::Options options = {{"device", "/dev/tty\x1b[2J\xff"}};
    if (json) options["json"] = "";
    EXPECT_EQ(run(options), 1);
    expect(json ? "/dev/tty\\\\x1b[2J\\\\xff" : "/dev/tty\\x1b[2J\\xff");
    for (const char c : text_) EXPECT_TRUE((c >= ' ' && c <= '~') || c == '\n') << text_;
  }
}

TEST_F(BoardCommand, SaysWhatToPlugInIfNothingIsThere) {
  EXPECT_EQ(run(), 1);
  expect(
      "none    boards: no board has answered\n  FAIL  no adapter of a board is plugged in, and no board is in the "
      "network. "
      "HINT: ULX3S: plug its port US1 in");
}

TEST_F(BoardCommand, GivesObjectsToPrograms) {
  EXPECT_EQ(run({{"json", ""}, {"device", "/dev/null"}}), 1);
  expect(R"({"kind":"FAIL","subject":"/dev/null","text":"/dev/null is not a serial device)");
}

TEST_F(BoardCommand, RefusesARateThatNoBoardHas) {
  EXPECT_THROW(run({{"baud", "7"}}), Refusal);
  EXPECT_THROW(run({{"device", ""}}), Refusal);
}

}  // namespace
}  // namespace weft::cli
