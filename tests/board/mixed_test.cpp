/// The run in docs/howto/fpga.md on emulated boards, and wafers of three kinds in one run.
#include <gtest/gtest.h>

#include "tests/board/board_run.hpp"

namespace weft::board {
namespace {

const std::string kParams = WEFT_CONFIGS "/gpt_board.yaml";

std::string trained(const test::TemporaryFolder& folder, std::vector<std::string> more) {
  std::vector<std::string> words = {"run", "--params", kParams, "--model_dir", "out"};
  words.insert(words.end(), more.begin(), more.end());
  const cli::ProgramResult result = cli::run_program(folder, words);
  EXPECT_EQ(result.status, 0) << result.err;
  std::printf("%s\n", result.out.substr(result.out.find("  step ")).c_str());
  return state(result);
}

/// The functional model and the RTL give the same state.
TEST(BoardLong, TwentyStepsOverASerialLine) {
  const test::TemporaryFolder folder;
  EXPECT_EQ(trained(folder, {"--num_steps", "20", "--backend", "fpga", "--fpga.device", "emulated"}),
            "state 4cd2f7206a3cb173");
}

class MixedRun : public BoardRun {
 protected:
  std::string mixed(const char* device, const char* steps) const {
    return state(run(device, {"--backend", "rtl,model,fpga", "--num_csx", "3", "--num_steps", steps, "--fpga.device",
                              device, "--wafer.rows", "4", "--wafer.cols", "2", "--train_input.batch_size", "6"}));
  }
};

TEST_F(MixedRun, WafersOfThreeKindsTrainTheSameBits) {
  const std::string model = state(run("model", {"--num_steps", "2", "--backend", "model", "--wafer.rows", "4",
                                                "--wafer.cols", "2", "--train_input.batch_size", "6"}));
  EXPECT_EQ(mixed("emulated", "2"), model);
  EXPECT_EQ(mixed("emulated:udp", "2"), model);
}

}  // namespace
}  // namespace weft::board
