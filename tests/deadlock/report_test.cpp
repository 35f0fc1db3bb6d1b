/// Injected hangs: the report's first line names the tile, the thread, the instruction and its source line.
#include "sw/deadlock/report.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "tests/deadlock/injected_bug.hpp"

namespace weft::deadlock {
namespace {

/// The hang snapshot of a wafer that runs the program; null if it does not hang.
std::shared_ptr<const machine::HangSnapshot> hang_snapshot(Wafer& wafer, const InjectedBug& p) {
  try {
    const std::span<const machine::Message> all(p.messages);
    wafer.feed(all.first(all.size() - 1));
    if (p.harm) {
      wafer.settle();
      p.harm(wafer);
    }
    wafer.feed(all.last(1));
    wafer.settle();
  } catch (const WaferHang& hang) {
    return hang.hang_snapshot;
  }
  return nullptr;
}

void expect_root_cause(const InjectedBug& p, Wafer& wafer) {
  const auto begin = std::chrono::steady_clock::now();
  const auto s = hang_snapshot(wafer, p);
  ASSERT_TRUE(s) << "it does not hang";
  const std::string text = report(*s, &p.program);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::cout << text << "reported after " << seconds << " s\n";
  const std::string first = text.substr(0, text.find('\n'));
  const std::string tile =
      "tile (" + std::to_string(p.row) + "," + std::to_string(p.col) + ") " + (p.psum ? "psum" : "main");
  EXPECT_TRUE(first.starts_with("root cause: " + tile)) << first;
  EXPECT_NE(first.find(p.at + " `"), std::string::npos) << first << "\nis not at " << p.at;
  EXPECT_NE(first.find(p.says), std::string::npos) << first << "\ndoes not say " << p.says;
  EXPECT_EQ(diagnose(*s).fault, p.fault);
}

struct HangOnTheRtl : testing::TestWithParam<InjectedBug> {};
struct HangOnTheModel : testing::TestWithParam<InjectedBug> {};
struct HangOnTheModelWithBoundedLinks : testing::TestWithParam<InjectedBug> {};

TEST_P(HangOnTheRtl, IsNamed) { expect_root_cause(GetParam(), *make_rtl_wafer(GetParam().shape)); }

TEST_P(HangOnTheModel, IsNamed) { expect_root_cause(GetParam(), *make_model_wafer(GetParam().shape)); }

TEST_P(HangOnTheModelWithBoundedLinks, IsNamed) {
  expect_root_cause(GetParam(), *make_model_wafer(GetParam().shape, 1, isa::kDepth));
}

/// Some bugs are possible in hardware only, others with bounded links only.
std::vector<InjectedBug> possible(bool InjectedBug::*where) {
  std::vector<InjectedBug> hangs = injected_hangs();
  std::erase_if(hangs, [&](const InjectedBug& each) { return !(each.*where); });
  return hangs;
}

const auto name_of = [](const auto& info) { return info.param.name; };
INSTANTIATE_TEST_SUITE_P(Each, HangOnTheRtl, testing::ValuesIn(injected_hangs()), name_of);
INSTANTIATE_TEST_SUITE_P(Each, HangOnTheModel, testing::ValuesIn(possible(&InjectedBug::model)), name_of);
INSTANTIATE_TEST_SUITE_P(Each, HangOnTheModelWithBoundedLinks, testing::ValuesIn(possible(&InjectedBug::bounded)), name_of);

}  // namespace
}  // namespace weft::deadlock
