/// The backward pass follows from the forward pass: phases, recomputation, places where gradients are added.
#include "sw/network/schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "sw/base/refusal.hpp"
#include "tests/network/third.hpp"

namespace weft::network {
namespace {

std::vector<std::string> names(const Schedule& schedule) {
  std::vector<std::string> list;
  for (const Step& step : schedule.steps) list.push_back(step.name);
  return list;
}

TEST(Schedule, ThirdNetworkOrder) {
  const LayerGraph n = read_network(kThird, "mine.yaml", {.layers = 1});
  const Schedule s = training_schedule(n);
  EXPECT_EQ(names(s), (std::vector<std::string>{"start", "h.0.up", "h.0.act", "h.0.down", "head", "loss", "loss.dx",
                                                "head.dw", "head.dx", "h.0.act.again", "h.0.down.dw", "h.0.down.dx",
                                                "h.0.act.dx", "h.0.up.dw", "h.0.up.dx", "wte.dw", "wpe.dw", "flags"}));
  EXPECT_EQ(s.forward, 6u);
  EXPECT_FALSE(s.steps[8].adds);  // the first gradient of the residual stream
  EXPECT_TRUE(s.steps[14].adds);
  EXPECT_TRUE(s.steps[6].clears.empty());
}

TEST(Schedule, WithoutRoomForItAValueIsComputedAgainFromWhatIsKept) {
  std::string text = kThird;
  text.replace(text.find("keep: [x, u]"), 12, "keep: [x]");
  const Schedule s = training_schedule(read_network(text, "mine.yaml", {.layers = 2}));
  const std::vector<std::string> all = names(s);
  const auto up = std::ranges::find(all, "h.1.up.again");
  ASSERT_NE(up, all.end());
  EXPECT_EQ(*(up + 1), "h.1.act.again");
}

/// Two branches of one norm: the gradient of the first is still needed when the second's is computed.
TEST(Schedule, NamesThatAreNeededAtOnceAreRefused) {
  const auto refusal = [](const std::string& second) {
    std::string text = R"(
network: side
tensors:
  wte.weight: {shape: [vocab, hidden], normal: 0.1}
  ln.weight: {shape: [hidden], value: 1}
  ln.bias: {shape: [hidden], value: 0}
  up.weight: {shape: [hidden, filter], normal: 0.1}
  down.weight: {shape: [filter, hidden], normal: 0.1}
  up2.weight: {shape: [hidden, filter], normal: 0.1}
  down2.weight: {shape: [filter, hidden], normal: 0.1}
  head.weight: {shape: [hidden, vocab], normal: 0.1}
operations:
  - {embed: start, tokens: wte.weight, out: x}
  - {norm: ln, in: x, out: a}
  - {linear: up, in: a, out: u}
  - {gelu: act, in: u, out: g}
  - {linear: down, in: g, add: x, out: x}
  - {linear: up2, in: a, out: U}
  - {gelu: act2, in: U, out: G}
  - {linear: down2, in: G, add: x, out: x}
  - {linear: head, in: x, out: logits}
  - {loss: loss, in: logits}
)";
    for (const auto& [from, to] : {std::pair{'U', 'u'}, {'G', 'g'}})
      if (!second.empty()) std::ranges::replace(text, from, to);
    try {
      training_schedule(read_network(text, "side.yaml", {}));
    } catch (const Refusal& r) {
      return std::string(r.what());
    }
    return std::string();
  };
  EXPECT_EQ(refusal(""), "");
  const std::string said = refusal("alike");
  EXPECT_NE(said.find("side.yaml:18: model.network: up2: the gradient of u is overwritten before it is read"),
            std::string::npos)
      << said;
}

TEST(Schedule, GradientsOfAStreamShareOneArray) {
  const LayerGraph n = read_network(kThird, "mine.yaml", {.layers = 2});
  const std::vector<std::string> arrays = gradient_arrays(n);
  for (std::size_t v = 0; v < n.values.size(); ++v) {
    EXPECT_EQ(arrays[v] == "dx", is_stream(n, static_cast<int>(v))) << n.values[v].name;
    if (n.values[v].name == "u") {
      EXPECT_EQ(arrays[v], "dg");
    }
  }
}

}  // namespace
}  // namespace weft::network
