/// General tiles, whose PEs have an out queue for each color (docs/reference/general_tile.md): RTL, bounded model and
/// deadlock check agree on which random fabrics hang, and where.
#include <gtest/gtest.h>

#include <algorithm>

#include "sw/deadlock/check.hpp"
#include "tests/deadlock/same_part.hpp"

namespace weft::deadlock {
namespace {

/// The check's verdict on a fabric: its messages up to the call load the wafer.
bool certified(const Fabric& f) {
  const auto call = std::ranges::find_if(f.messages, [](const machine::Message& m) {
    return m.ctrl && m.data >> 24 == static_cast<std::uint32_t>(machine::Command::Call);
  });
  Input input{.shape = f.shape, .program = {}, .phases = {}};
  input.phases.push_back({.name = "load", .messages = {f.messages.begin(), call}});
  input.phases.push_back({.name = "run", .messages = {call, f.messages.end()}});
  return check(input).certified();
}

TEST(GeneralTiles, HangWhereTheBoundedModelDoes) {
  test::Rng rng(test::test_seed());
  int hung = 0, passed = 0, freed = 0;
  for (int i = 0; i < 400; ++i) {
    Fabric f = random_fabric(rng, 4);
    f.shape.general = true;
    const auto rtl = run(*make_rtl_wafer(f.shape), f);
    const auto model = run(*make_model_wafer(f.shape, 1, isa::kDepth), f);
    machine::WaferShape small = f.shape;
    small.general = false;
    const auto one_queue = run(*make_model_wafer(small, 1, isa::kDepth), f);
    std::string text = "case " + std::to_string(i) + "\n";
    for (std::size_t t = 0; t < f.sources.size(); ++t) text += "tile " + std::to_string(t) + "\n" + f.sources[t];
    ASSERT_EQ(rtl != nullptr, model != nullptr) << text;
    if (rtl) {
      ASSERT_EQ(same_part(*rtl), same_part(*model)) << text;
      EXPECT_TRUE(one_queue) << "a queue for each color never makes it hang\n" << text;
    }
    if (!f.ahead) {
      EXPECT_EQ(certified(f), !rtl) << text;
    }
    (rtl ? hung : passed) += 1;
    freed += !rtl && one_queue;
  }
  std::cout << hung << " hang, " << passed << " do not; " << freed << " of these hang with one queue for all colors\n";
  EXPECT_GT(hung, 40);
  EXPECT_GT(passed, 50);
  EXPECT_GT(freed, 1);
}

}  // namespace
}  // namespace weft::deadlock
