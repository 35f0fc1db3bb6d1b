/// Keys without effect are reported in a note.
#include "host/config/keys/without_effect.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "host/config/file/load.hpp"
#include "host/config/keys/keys.hpp"
#include "tests/config/good_config.hpp"

namespace weft::config {
namespace {

using Notes = std::vector<std::string>;

Notes notes(const std::string& more, const std::vector<Override>& overrides = {}) {
  return notes_without_effect(parse_config(kGood + more, "configs/mine.yaml", overrides));
}

TEST(WithoutEffect, AKeyOfAnotherBackendIsNoted) {
  const std::string depth =
      "note    wafer.depth: has no effect: applies to the functional model, but wafer.backend is rtl";
  EXPECT_EQ(notes("", {{"wafer.backend", "rtl"}, {"wafer.depth", "8"}}), Notes{depth});
  EXPECT_EQ(notes("wafer: {backend: rtl, depth: 8}\n"), Notes{depth});
  EXPECT_EQ(notes("wafer: {backend: rtl}\n", {{"wafer.depth", "8"}}), Notes{depth});
  EXPECT_EQ(notes("", {{"wafer.depth", "8"}}), Notes{});
  EXPECT_EQ(notes("", {{"wafer.backend", "rtl"}, {"wafer.check", "model"}, {"wafer.depth", "8"}}), Notes{});
  EXPECT_EQ(notes("", {{"wafer.backend", "rtl,model"}, {"runconfig.num_csx", "2"}, {"wafer.depth", "8"}}), Notes{});
  EXPECT_EQ(notes("", {{"wafer.backend", "fpga"}, {"wafer.depth", "8"}, {"wafer.threads", "2"}}).size(), 2U);
  EXPECT_EQ(notes("", {{"fpga.device", "/dev/ttyUSB0"}}),
            Notes{"note    fpga.device: has no effect: applies to boards, but wafer.backend is model"});
  EXPECT_EQ(
      notes("", {{"fpga.baud", "1000000"}, {"fpga.device", "udp:10.0.0.2:5000"}, {"wafer.backend", "fpga"}}),
      Notes{"note    fpga.baud: has no effect: applies to serial devices, but fpga.device is [udp:10.0.0.2:5000]"});
  EXPECT_EQ(notes("", {{"fpga.baud", "1000000"}, {"fpga.device", "/dev/ttyUSB0"}, {"wafer.backend", "fpga"}}), Notes{});
}

TEST(WithoutEffect, ABackendThatIsNamedAndHasNoWaferIsOfTooFewWafers) {
  const std::string depth =
      "note    wafer.depth: has no effect: applies to the functional model, but runconfig.num_csx is 1";
  EXPECT_EQ(notes("", {{"wafer.backend", "rtl,model"}, {"wafer.depth", "3"}}), Notes{depth});
  EXPECT_EQ(notes("wafer: {backend: 'rtl,model', depth: 3}\n"), Notes{depth});
  EXPECT_EQ(notes("wafer: {backend: 'rtl,model', depth: 3}\n", {{"runconfig.num_csx", "1"}}), Notes{});
  EXPECT_EQ(notes("", {{"wafer.backend", "rtl,model"}, {"wafer.check", "model"}, {"wafer.depth", "3"}}), Notes{});
  EXPECT_EQ(notes("", {{"wafer.backend", "fpga,rtl"}, {"wafer.threads", "3"}}),
            Notes{"note    wafer.threads: has no effect: applies to simulated wafers, but runconfig.num_csx is 1"});
  EXPECT_EQ(notes("", {{"wafer.backend", "rtl,fpga"}, {"fpga.device", "emulated"}}),
            Notes{"note    fpga.device: has no effect: applies to boards, but runconfig.num_csx is 1"});
}

TEST(WithoutEffect, AKeyThatAnotherSwitchesOffIsNoted) {
  const auto only = [](const std::vector<Override>& overrides) {
    const Notes all = notes("", overrides);
    return all.size() == 1 ? all.front() : std::to_string(all.size()) + " notes";
  };
  EXPECT_EQ(only({{"train_input.shuffle", "false"}, {"train_input.seed", "3"}}),
            "note    train_input.seed: has no effect: applies to shuffled samples, but train_input.shuffle is false");
  EXPECT_EQ(
      only({{"optimizer.no_decay_params", "[wte.weight]"}, {"optimizer.weight_decay", "0"}}),
      "note    optimizer.no_decay_params: has no effect: applies to weight decay, but optimizer.weight_decay is 0");
  EXPECT_EQ(only({{"optimizer.optimizer_type", "SGD"}, {"optimizer.dampening", "0.4"}}),
            "note    optimizer.dampening: has no effect: applies to momentum, but optimizer.momentum is 0");
  EXPECT_EQ(only({{"memoryx.eager_update", "true"}, {"optimizer.max_gradient_norm", "1"}}),
            "note    memoryx.eager_update: has no effect: applies to runs that clip no gradients, but "
            "optimizer.max_gradient_norm is 1");
  EXPECT_EQ(
      notes("", {{"train_input.seed", "3"}, {"memoryx.eager_update", "true"}, {"optimizer.max_gradient_norm", "0"}}),
      Notes{});
  EXPECT_EQ(notes("", {{"train_input.shuffle", "false"}, {"train_input.seed", "3"}, {"runconfig.seed", "3"}}), Notes{})
      << "--seed 3";
}

/// A parameter file may serve several backends and modes.
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
            "note    runconfig.temperature: has no effect: applies to mode generate, but runconfig.mode is train");
  EXPECT_EQ(
      first({{"runconfig.mode", "eval"}, {"runconfig.checkpoint_steps", "5"}}),
      "note    runconfig.checkpoint_steps: has no effect: applies to modes that train, but runconfig.mode is eval");
  EXPECT_EQ(first({{"runconfig.mode", "compile_only"}, {"runconfig.checkpoint_steps", "5"}}), "");
  EXPECT_EQ(first({{"swarmx.silence", "3"}}),
            "note    swarmx.silence: has no effect: applies to runs of several processes, but this run has one");
  EXPECT_EQ(
      first({{"runconfig.num_steps", "5"}, {"runconfig.max_steps", "7"}}),
      "note    runconfig.max_steps: has no effect: applies to runs without num_steps, but runconfig.num_steps is 5");
  EXPECT_EQ(first({{"optimizer.optimizer_type", "SGD"}, {"optimizer.eps", "1e-6"}}),
            "note    optimizer.eps: has no effect: applies to other rules, but optimizer.optimizer_type is SGD");
}

}  // namespace
}  // namespace weft::config
