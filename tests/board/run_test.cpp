/// The program with a board's RTL, emulated in a separate process.
#include <gtest/gtest.h>

#include <csignal>

#include "host/board/device.hpp"
#include "host/board/emulator.hpp"
#include "host/board/wafer/board_wafer.hpp"
#include "sw/asm/assembler.hpp"
#include "sw/compiler/program/load.hpp"
#include "tests/board/board_run.hpp"
#include "tests/run/program.hpp"

namespace weft::board {
namespace {

TEST_F(BoardRun, TrainsTheSameBitsOverEachLineAndTakesTheBoardsMesh) {
  const std::string model = state_of_model();
  for (const char* device : {"emulated", "emulated:udp"}) {
    const cli::ProgramResult result = run(device, {"--fpga.device", device});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(state(result), model) << device;
    EXPECT_NE(result.out.find(std::string("board   ") + device + ": emulated, 4 x 2 tiles, 4 lanes, 24 KiB"),
              std::string::npos)
        << result.out;
    EXPECT_NE(result.out.find("(4 x 2 tiles, 4 lanes, 24 KiB, 1 valve)"), std::string::npos) << result.out;
    EXPECT_NE(result.out.find("\nlink    "), std::string::npos) << result.out;
  }
}

TEST_F(BoardRun, OneWaferOnABoardAndOneOnTheModelCheckedByTheModel) {
  EXPECT_EQ(state(run("mixed", {"--backend", "fpga,model", "--num_csx", "2", "--check", "model"})), state_of_model());
}

TEST_F(BoardRun, ABoardOfAnotherMeshIsRefusedKeyByKey) {
  const cli::ProgramResult result = run("x", {"--wafer.rows", "2", "--wafer.sram_kib", "48"});
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(
      result.err,
      "mine.yaml: fpga.device: emulated:udp: wafer.rows is 2, the board has 4; wafer.sram_kib is 48, the board has "
      "24. HINT: set wafer.rows 4, wafer.sram_kib 24.\n");
}

TEST_F(BoardRun, OnlyARunAsksTheBoardForItsMesh) {
  const cli::ProgramResult result = cli::run_program(folder_, {"check", "--params", "mine.yaml"});
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.err,
            "mine.yaml:17: wafer.rows: auto, but no board is queried in this mode. HINT: write a number.\n");
}

TEST_F(BoardRun, AMemoryThatIsAutoIsTheBoards) {
  const cli::ProgramResult result = run("x", {"--wafer.sram_kib", "auto", "--mode", "compile_only"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.out.find("24 KiB"), std::string::npos) << result.out;
}

TEST(EmulatedBoard, HangIsReportedAndResetRestoresService) {
  const machine::WaferShape shape{.rows = 4, .cols = 2, .sram_kib = 24};
  Device device = open_device("emulated:udp", 2000000, WEFT_BOARD_PROGRAM);
  auto wafer = make_board_wafer(std::move(device.line), shape, {}, device.needs, false);
  const machine::Message select = machine::Message::select();
  for (int round = 0; round < 2; ++round) {
    wafer->feed(std::span(&select, 1));
    wafer->settle();
    EXPECT_EQ(wafer->counters().edge_messages, 1U);
    EXPECT_THROW(wafer->await(std::vector<std::uint64_t>{1, 0, 0, 0}), WaferHang);
    const machine::Message unknown = machine::Message::command(static_cast<machine::Command>(200), 0, 0);
    wafer->feed(std::span(&unknown, 1));
    wafer->settle();
    EXPECT_TRUE(wafer->flags().starts_with("row 0 column 0 BAD_COMMAND, ")) << wafer->flags();
    wafer->reset();
  }
  EXPECT_EQ(wafer->flags(), "");
}

/// A tile's endless loop is detected after 2^25 cycles, which take minutes here.
TEST(EmulatedBoardLong, EndlessLoopIsAHangAndResetRestoresService) {
  const machine::WaferShape shape{.rows = 4, .cols = 2, .sram_kib = 24};
  Device device = open_device("emulated:udp", 2000000, WEFT_BOARD_PROGRAM);
  auto wafer = make_board_wafer(std::move(device.line), shape, {}, device.needs);
  std::vector<machine::Message> messages = compiler::route_messages(shape);
  const auto program = compiler::program_messages(assembler::assemble("loop: jmp loop\n", "loop.s"));
  messages.insert(messages.end(), program.begin(), program.end());
  messages.push_back(machine::Message::command(machine::Command::Call, 0, 0));
  wafer->feed(messages);
  try {
    wafer->await(std::vector<std::uint64_t>{1, 0, 0, 0});
    FAIL();
  } catch (const WaferHang& hang) {
    EXPECT_NE(std::string(hang.what()).find("is busy, but no message has entered or left the wafer"), std::string::npos)
        << hang.what();
  }
  wafer->reset();
  wafer->settle();
}

TEST_F(BoardRun, ABoardThatDiesEndsTheRunWithACheckpointToContinueFrom) {
  auto board = std::make_unique<Emulator>(WEFT_BOARD_PROGRAM, std::vector<std::string>{});
  const std::string errors = folder_ / "errors", dir = folder_ / "dies";
  test::StartedProgram program({"run", "--params", folder_ / "mine.yaml", "--model_dir", dir, "--fpga.device",
                                board->device(), "--num_steps", "100000"},
                               errors);
  ASSERT_TRUE(program.reach(1));
  board.reset();
  EXPECT_EQ(program.wait(), 1);
  EXPECT_EQ(std::ranges::count(program.errors(), '\n'), 1) << program.errors();
  EXPECT_NE(program.errors().find("wafer 0, step "), std::string::npos) << program.errors();
  EXPECT_NE(program.errors().find("the board at /dev/pts/"), std::string::npos) << program.errors();
  int done = 0;
  const std::size_t saved = program.rest().find("\nsaved the state after step ");
  ASSERT_NE(saved, std::string::npos) << program.rest();
  ASSERT_EQ(std::sscanf(program.rest().c_str() + saved, "\nsaved the state after step %d", &done), 1);
  const std::string steps = std::to_string(done + 1);
  EXPECT_EQ(state(run("dies", {"--num_steps", steps})), state_of_model(steps));
}

}  // namespace
}  // namespace weft::board
