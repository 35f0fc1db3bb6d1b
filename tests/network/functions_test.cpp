/// Element-wise functions, built in and of a file, compared with the reference in doubles.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "kernel_sources.hpp"
#include "sw/network/function.hpp"
#include "tests/network/network_files.hpp"

namespace weft::network {
namespace {

/// Each function in the place of GPT-2's, and of hidden features.
TEST_F(Networks, FunctionsFollowTheReference) {
  for (const auto& function : built_in_functions()) {
    if (function->inputs() != 1) continue;
    SCOPED_TRACE(function->name);
    const std::string by = function->has_constant() ? ", by: 0.7" : "";
    std::string text = kThird;
    const std::string act = "{gelu: act, in: u, out: g}";
    text.replace(text.find(act), act.size(), "{" + function->name + ": act, in: u, out: g" + by + "}");
    if (function->any_features()) {
      const std::string down = "{linear: down, in: g, add: x, out: x}";
      text.insert(text.find("  head.weight"), "    mid.weight: {shape: [hidden, hidden], normal: 0.1}\n");
      text.replace(text.find("down.weight: {shape: [hidden, filter]"), 37, "down.weight: {shape: [filter, hidden]");
      text.replace(text.find(down), down.size(),
                   "{linear: down, in: g, out: m}\n      - {" + function->name + ": middle, in: m, out: n" + by +
                       "}\n      - {linear: mid, in: n, add: x, out: x}");
    }
    std::ofstream(third_) << text << std::flush;
    compiler::ModelShape model{
        .vocab = 30, .hidden = 20, .layers = 2, .heads = 1, .filter = 20, .seq = 8, .tied = false};
    model.network = third_;
    for (const auto& [rows, cols] : {std::pair{1, 1}, {3, 2}, {27, 1}})
      follows_the_reference(compiler::compile(model, {.rows = rows, .cols = cols, .sram_kib = 128}));
  }
}

/// The kernels of SiLU in a network's own file, under another name.
TEST_F(Networks, FunctionOfTheFileHasTheBitsOfABuiltInOne) {
  std::string text = kThird, kernels;
  const std::string act = "{gelu: act,";
  text.replace(text.find(act), act.size(), "{silu: act,");
  std::ofstream(third_) << text;
  for (const assembler::Source& source : kernels::kKernelSources)
    if (source.name.ends_with("/silu.s")) kernels = source.text;
  for (std::size_t at = 0; (at = kernels.find("silu", at)) != std::string::npos; at += 4)
    kernels.replace(at, 4, "mine");
  for (std::size_t at = 0; (at = kernels.find('\n', at)) != std::string::npos; at += 3) kernels.replace(at, 1, "\n  ");
  text.replace(text.find("{silu"), 5, "{mine");
  text.insert(text.find("operations:"), "kernels: |\n  " + kernels + "\n");
  std::ofstream(again_) << text;
  compiler::ModelShape model{.vocab = 30, .hidden = 20, .layers = 2, .heads = 1, .filter = 36, .seq = 8, .tied = false};
  model.network = third_;
  const compiler::Plan built_in = compiler::compile(model, {.rows = 3, .cols = 2});
  model.network = again_;
  const compiler::Plan own = compiler::compile(model, {.rows = 3, .cols = 2});
  ASSERT_NE(own.program.kernel("mine_back"), nullptr);
  EXPECT_EQ(own.program.kernel("silu"), nullptr);
  const int line = own.program.kernel("mine_back")->line;
  EXPECT_EQ(std::ranges::count(text.substr(0, text.find(".kernel mine_back")), '\n') + 1, line);
  const std::vector<float> parameters = compiler::random_parameters(built_in, 1);
  EXPECT_TRUE(run_on_model(built_in, parameters).got.grad == run_on_model(own, parameters).got.grad);
}

}  // namespace
}  // namespace weft::network
