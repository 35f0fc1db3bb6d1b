/// Options without meaning for a command that inspects a training step are rejected, not ignored.
#include "host/inspect/option_check.hpp"

#include <gtest/gtest.h>

#include <cstdio>

#include "host/config/file/load.hpp"
#include "sw/base/refusal.hpp"

namespace weft::inspect {
namespace {

std::string refusal(const std::string& command, const std::vector<config::Override>& overrides) {
  try {
    check_options(command, config::load_config(std::string(WEFT_CONFIGS) + "/gpt_tiny.yaml", overrides));
    return "";
  } catch (const Refusal& e) {
    return e.what();
  }
}

TEST(OptionCheck, NoModeWithoutTrainingSteps) {
  for (const char* command : {"waves", "profile", "debug", "fingerprint"}) {
    EXPECT_EQ(refusal(command, {{"runconfig.mode", "generate"}, {"runconfig.prompt", "A"}}),
              std::string("command line: runconfig.mode: generate has no training steps, but weft ") + command +
                  " inspects one. HINT: use --mode train, or leave it out.");
    EXPECT_NE(refusal(command, {{"runconfig.mode", "compile_only"}}), "");
    EXPECT_NE(refusal(command, {{"runconfig.prompt", "A"}}), "");
    EXPECT_NE(refusal(command, {{"runconfig.prompt_tokens", "[1, 2]"}}), "");
    EXPECT_EQ(refusal(command, {{"runconfig.mode", "train"}}), "");
    EXPECT_EQ(refusal(command, {}), "");
  }
}

TEST(OptionCheck, NoModelWhereOnlyTheRtlIsShown) {
  EXPECT_NE(refusal("waves", {{"wafer.backend", "model"}}).find("weft waves shows the RTL"), std::string::npos);
  EXPECT_NE(refusal("profile", {{"wafer.backend", "model"}}), "");
  EXPECT_NE(refusal("waves", {{"wafer.backend", "fpga"}}), "");
  EXPECT_EQ(refusal("profile", {{"wafer.backend", "fpga"}}), "");
  EXPECT_NE(refusal("profile", {{"wafer.check", "model"}}), "");
  EXPECT_EQ(refusal("waves", {{"wafer.backend", "rtl"}}), "");
  EXPECT_EQ(refusal("debug", {{"wafer.backend", "model"}}), "");
  EXPECT_EQ(refusal("fingerprint", {{"wafer.backend", "model"}}), "");
}

/// The error message of the program.
std::string refused(const std::string& arguments) {
  const std::string command = WEFT_PROGRAM " " + arguments + " 2>&1";
  std::string text;
  FILE* pipe = ::popen(command.c_str(), "r");
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
  EXPECT_EQ(WEXITSTATUS(::pclose(pipe)), 2) << text;
  return text;
}

TEST(OptionCheck, IsAskedByThePrograms) {
  const std::string params = "--params " WEFT_CONFIGS "/gpt_tiny.yaml";
  EXPECT_NE(
      refused("waves " + params + " --phase list --mode generate --prompt A").find("generate has no training steps"),
      std::string::npos);
  EXPECT_NE(refused("debug x.weftcore " + params).find("a core dump needs no configuration"), std::string::npos);
  EXPECT_NE(refused("debug " + params + " --phase h.0.attn --tile 1,1").find("--tile: applies to a core dump only"),
            std::string::npos);
}

}  // namespace
}  // namespace weft::inspect
