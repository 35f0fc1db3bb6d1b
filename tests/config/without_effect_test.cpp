/// Keys that change nothing are noted.
#include "host/config/without_effect.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "host/config/keys.hpp"
#include "tests/config/good_config.hpp"

namespace weft {
namespace {

using Notes = std::vector<std::string>;

Notes notes(const std::string& more, const std::vector<Override>& overrides = {}) {
  return notes_without_effect(parse_config(kGood + more, "configs/mine.yaml", overrides));
}

TEST(WithoutEffect, AKeyOfAnotherBackendIsNoted) {
  const std::string depth =
      "note    wafer.depth: has no effect: it is of the functional model, and wafer.backend is rtl";
  EXPECT_EQ(notes("", {{"wafer.backend", "rtl"}, {"wafer.depth", "8"}}), Notes{depth});
  EXPECT_EQ(notes("wafer: {backend: rtl, depth: 8}\n"), Notes{depth});
  EXPECT_EQ(notes("wafer: {backend: rtl}\n", {{"wafer.depth", "8"}}), Notes{depth});
  EXPECT_EQ(notes("", {{"wafer.depth", "8"}}), Notes{});
  EXPECT_EQ(notes("", {{"wafer.backend", "rtl"}, {"wafer.check", "model"}, {"wafer.depth", "8"}}), Notes{});
  EXPECT_EQ(notes("", {{"wafer.backend", "rtl,model"}, {"runconfig.num_csx", "2"}, {"wafer.depth", "8"}}), Notes{});
  EXPECT_EQ(notes("", {{"wafer.backend", "fpga"}, {"wafer.depth", "8"}, {"wafer.threads", "2"}}).size(), 2U);
  EXPECT_EQ(notes("", {{"fpga.device", "/dev/ttyUSB0"}}),
            Notes{"note    fpga.device: has no effect: it is of boards, and wafer.backend is model"});
  EXPECT_EQ(notes("", {{"fpga.baud", "1000000"}, {"fpga.device", "udp:10.0.0.2:5000"}, {"wafer.backend", "fpga"}}),
            Notes{"note    fpga.baud: has no effect: it is of serial devices, and fpga.device is [udp:10.0.0.2:5000]"});
  EXPECT_EQ(notes("", {{"fpga.baud", "1000000"}, {"fpga.device", "/dev/ttyUSB0"}, {"wafer.backend", "fpga"}}), Notes{});
}

/// It serves several backends and modes.
TEST(WithoutEffect, AParameterFilesKeyIsNotWhereTheCommandLineHasTheReason) {
  EXPECT_EQ(notes("wafer: {depth: 8}\n", {{"wafer.backend", "rtl"}}), Notes{});
  EXPECT_EQ(notes("wafer: {backend: rtl, depth: 0}\n"), Notes{}) << "that is the default, as a run's own file has it";
  EXPECT_EQ(notes("runconfig: {temperature: 1, checkpoint_steps: 5}\nswarmx: {silence: 3}\n"), Notes{});
}

TEST(WithoutEffect, AKeyOfAnotherModeIsNotedOnTheCommandLine) {
  const auto first = [](const std::vector<Override>& overrides) {
    const Notes all = notes("eval_input: {data_dir: text}\n", overrides);
    return all.empty() ? "" : all.front();
  };
  EXPECT_EQ(first({{"runconfig.temperature", "1"}}),
            "note    runconfig.temperature: has no effect: it is of mode generate, and runconfig.mode is train");
  EXPECT_EQ(first({{"runconfig.mode", "eval"}, {"runconfig.checkpoint_steps", "5"}}),
            "note    runconfig.checkpoint_steps: has no effect: it is of modes that train, and runconfig.mode is eval");
  EXPECT_EQ(first({{"runconfig.mode", "compile_only"}, {"runconfig.checkpoint_steps", "5"}}), "");
  EXPECT_EQ(first({{"swarmx.silence", "3"}}),
            "note    swarmx.silence: has no effect: it is of runs of several processes, and this one has one");
  EXPECT_EQ(
      first({{"runconfig.num_steps", "5"}, {"runconfig.max_steps", "7"}}),
      "note    runconfig.max_steps: has no effect: it is of runs without num_steps, and runconfig.num_steps is 5");
  EXPECT_EQ(first({{"optimizer.optimizer_type", "SGD"}, {"optimizer.eps", "1e-6"}}),
            "note    optimizer.eps: has no effect: it is of other rules, and optimizer.optimizer_type is SGD");
}

}  // namespace
}  // namespace weft
