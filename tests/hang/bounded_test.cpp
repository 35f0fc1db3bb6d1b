/// The model with links as deep as the RTL's stands still exactly when the RTL does, and in the same place.
#include <gtest/gtest.h>

#include <memory>
#include <optional>

#include "sw/hang/report.hpp"
#include "tests/hang/fabric.hpp"
#include "verif/wafer.hpp"

namespace weft::test {
namespace {

std::shared_ptr<const Standstill> run(Wafer& wafer, const Fabric& f) {
  try {
    wafer.feed(f.messages);
    wafer.settle();
  } catch (const WaferStuck& stuck) {
    return stuck.standstill;
  }
  return nullptr;
}

/// What of a standstill is the same whatever the timing, as text.
std::string same_part(const Standstill& s) {
  std::ostringstream out;
  const auto list = [&](const char* name, const auto& numbers) {
    out << " " << name;
    for (const auto n : numbers) out << " " << +n;
  };
  for (std::size_t i = 0; i < s.tiles.size(); ++i) {
    const TileStandstill& t = s.tiles[i];
    out << "tile " << i;
    for (const auto& [thread, sequencer] : {std::pair(t.state.main, t.main), std::pair(t.state.psum, t.psum)})
      out << " [" << thread.runs << " " << thread.pc << "; " << sequencer.busy << " " << sequencer.pc << " "
          << sequencer.lacks_w << sequencer.lacks_words << sequencer.lacks_room << "]";
    list("MP", t.state.mp.entries), list("PM", t.state.pm.entries), list("ramp", t.ramp), list("out", t.out);
    list("credits", t.out_credits);
    for (std::size_t port = 0; port < 5; ++port) list("buffers", t.buffers[port]), list("credits", t.credits[port]);
    out << "\n";
  }
  for (const RowStandstill& r : s.rows) {
    out << "row " << r.delivered << " " << r.cell << " " << +r.served;
    list("credits", r.cell_credits);
    out << "\n";
  }
  for (const ValveStandstill& v : s.valves) {
    out << "valve " << v.taken << " " << v.rest;
    list("credits", v.credits);
    out << "\n";
  }
  return out.str();
}

TEST(BoundedModel, StandsStillWhereTheRtlDoes) {
  Dice dice(test_seed());
  int hung = 0, passed = 0, only_bounded = 0;
  for (int i = 0; i < 400; ++i) {
    const Fabric f = random_fabric(dice);
    const auto rtl = run(*make_rtl_wafer(f.shape), f);
    const auto model = run(*make_model_wafer(f.shape, 1, isa::kDepth), f);
    const auto free = run(*make_model_wafer(f.shape), f);
    std::string text = "case " + std::to_string(i) + ": " + std::to_string(f.shape.rows) + " x " +
                       std::to_string(f.shape.cols) + ", " + std::to_string(f.shape.lanes) + " lanes\n";
    for (std::size_t t = 0; t < f.sources.size(); ++t) text += "tile " + std::to_string(t) + "\n" + f.sources[t];
    ASSERT_EQ(rtl != nullptr, model != nullptr)
        << text << (rtl ? hang::report(*rtl, nullptr) : hang::report(*model, nullptr));
    if (rtl) {
      ASSERT_EQ(same_part(*rtl), same_part(*model)) << text;
    }
    (rtl ? hung : passed) += 1;
    only_bounded += rtl && !free;
    if (free) {
      EXPECT_TRUE(rtl) << "more room never makes it hang\n" << text;
    }
  }
  std::cout << hung << " hang, " << only_bounded << " of them only as links have an end; " << passed << " do not\n";
  EXPECT_GT(hung, 40);
  EXPECT_GT(only_bounded, 10);
  EXPECT_GT(passed, 50);
}

}  // namespace
}  // namespace weft::test
