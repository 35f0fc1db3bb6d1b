/// Hosts that die or are stopped in mid-step, and boards that vanish during a run.
#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <thread>

#include "host/board/emulator.hpp"
#include "tests/board/board_run.hpp"
#include "tests/run/program.hpp"

namespace weft::board {
namespace {

using namespace std::chrono_literals;

/// The state of a process and its processor time, from /proc.
std::string looked_at(pid_t pid) {
  const std::string text = checkpoint::text_of("/proc/" + std::to_string(pid) + "/stat");
  std::istringstream words(text.substr(text.rfind(')') + 2));
  std::string word, state, user, system;
  words >> state;
  for (int field = 4; field <= 15 && words >> word; ++field) {
    if (field == 14) user = word;
    if (field == 15) system = word;
  }
  return state + " " + user + " " + system;
}

/// Waits until a process sleeps and uses no processor time, for at most a minute.
bool sleeps(pid_t pid) {
  int same = 0;
  std::string before;
  for (int i = 0; i < 300; ++i) {
    const std::string now = looked_at(pid);
    same = now == before && now.starts_with("S ") ? same + 1 : 0;
    if (same == 3) return true;
    before = now;
    std::this_thread::sleep_for(200ms);
  }
  return false;
}

class BoardHosts : public BoardRun {
 protected:
  test::StartedProgram start(const std::string& dir, const std::string& device, const std::string& steps) const {
    return test::StartedProgram({"run", "--params", folder_ / "mine.yaml", "--model_dir", folder_ / dir,
                                 "--fpga.device", device, "--num_steps", steps},
                                folder_ / "errors");
  }
  static std::vector<std::string> line(bool udp) {
    return udp ? std::vector<std::string>{"--udp", "0"} : std::vector<std::string>{};
  }
};

using BoardHostsLong = BoardHosts;

/// The host dies in the middle of a frame and leaves words unconfirmed.
TEST_F(BoardHostsLong, ABoardWhoseHostWasKilledFallsAsleepAndServesTheNext) {
  const std::string model = state_of_model();
  for (const bool udp : {false, true}) {
    const Emulator board(WEFT_BOARD_PROGRAM, line(udp));
    test::StartedProgram program = start(udp ? "udp" : "serial", board.device(), "100000");
    ASSERT_TRUE(program.reach(1));
    program.kill(SIGKILL);
    EXPECT_EQ(program.wait(), 128 + SIGKILL);
    EXPECT_TRUE(sleeps(board.pid()));
    EXPECT_EQ(state(run(udp ? "after udp" : "after serial", {"--fpga.device", board.device()})), model);
  }
}

/// The host is stopped for longer than the board's timeout, and than the host's own timeout for the board.
TEST_F(BoardHostsLong, AStoppedHostContinues) {
  const std::string model = state_of_model("4");
  for (const bool udp : {false, true}) {
    const Emulator board(WEFT_BOARD_PROGRAM, line(udp));
    test::StartedProgram program = start(udp ? "udp" : "serial", board.device(), "4");
    ASSERT_TRUE(program.reach(1));
    program.kill(SIGSTOP);
    EXPECT_TRUE(sleeps(board.pid()));
    std::this_thread::sleep_for(3s);
    program.kill(SIGCONT);
    EXPECT_EQ(program.wait(), 0) << program.errors();
    EXPECT_NE(program.rest().find("\n" + model), std::string::npos) << program.rest();
  }
}

/// The board is unplugged and plugged in again: the device is the same, but the board has no session.
TEST_F(BoardHosts, ABoardThatIsStartedAgainUnderARunEndsIt) {
  const std::string device = folder_ / "board";
  auto board = std::make_unique<Emulator>(WEFT_BOARD_PROGRAM, std::vector<std::string>{"--link", device});
  test::StartedProgram program = start("again", device, "100000");
  ASSERT_TRUE(program.reach(1));
  board.reset();
  board = std::make_unique<Emulator>(WEFT_BOARD_PROGRAM, std::vector<std::string>{"--link", device});
  EXPECT_EQ(program.wait(), 1);
  EXPECT_EQ(std::ranges::count(program.errors(), '\n'), 1) << program.errors();
  EXPECT_NE(program.errors().find("HINT: check the board"), std::string::npos) << program.errors();
  int done = 0;
  const std::size_t saved = program.rest().find("\nsaved the state after step ");
  ASSERT_NE(saved, std::string::npos) << program.rest();
  ASSERT_EQ(std::sscanf(program.rest().c_str() + saved, "\nsaved the state after step %d", &done), 1);
  const std::string steps = std::to_string(done + 1);
  EXPECT_EQ(state(run("again", {"--num_steps", steps, "--fpga.device", device})), state_of_model(steps));
}

}  // namespace
}  // namespace weft::board
