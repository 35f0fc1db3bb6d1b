/// Backward follows from forward: phases, what is computed again, where gradients are added.
#include "sw/network/schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/network/third.hpp"

namespace weft {
namespace {

std::vector<std::string> names(const Schedule& schedule) {
  std::vector<std::string> list;
  for (const Step& step : schedule.steps) list.push_back(step.name);
  return list;
}

TEST(Schedule, OfTheThirdNetwork) {
  const LayerGraph n = read_network(kThird, "mine.yaml", {.layers = 1});
  const Schedule s = training_schedule(n);
  EXPECT_EQ(names(s),
            (std::vector<std::string>{"start", "h.0.up", "h.0.act", "h.0.down", "head", "loss", "d.logits",
                                      "d.head.weight.head", "d.h.0.down.head", "h.0.act.again", "d.h.0.down.weight",
                                      "d.h.0.act", "d.h.0.up", "d.h.0.up.weight", "d.start.h.0.up", "d.wte.weight",
                                      "d.wpe.weight", "flags"}));
  EXPECT_EQ(s.forward, 6u);
  EXPECT_FALSE(s.steps[8].adds);  // the first that the stream's gradient gets
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
}  // namespace weft
