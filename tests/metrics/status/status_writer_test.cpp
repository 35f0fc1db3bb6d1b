#include "host/metrics/status/status_writer.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <thread>

#include "host/metrics/status/read_status.hpp"
#include "sw/base/refusal.hpp"
#include "tests/metrics/status/lines.hpp"
#include "tests/temporary_folder.hpp"

namespace weft::metrics::status_writer_test {
namespace {

using namespace std::chrono_literals;
using State = swarmx::RankStatus::State;
using Json = nlohmann::ordered_json;

struct Writer : testing::Test {
  test::TemporaryFolder folder;
  std::mutex mutex;  // guards the members below
  std::vector<RankLine> ranks{wafer_line(1, State::Here), wafer_line(2, State::Here)};
  std::vector<std::string> said;

  StatusSources sources() {
    return {.ranks =
                [this] {
                  const std::lock_guard lock(mutex);
                  return ranks;
                },
            .part = [] { return swarmx::Part::Stream; },
            .say =
                [this](const std::string& line) {
                  const std::lock_guard lock(mutex);
                  said.push_back(line);
                }};
  }
  /// The status in folder `name`, as soon as it satisfies `ready`; fails after 60 s and returns the last one.
  template <class Ready>
  Json when(const std::string& name, const Ready& ready) const {
    Json status;
    const auto end = std::chrono::steady_clock::now() + 60s;
    while (std::chrono::steady_clock::now() < end) {
      try {
        status = read_status(folder / name);
        if (ready(status)) return status;
      } catch (const Refusal&) {  // not written yet
      }
      std::this_thread::sleep_for(5ms);
    }
    ADD_FAILURE() << status;
    return status;
  }
};

TEST_F(Writer, WritesAtOnceAndSaysWhoIsThere) {
  StatusWriter writer(folder.path(), "", 2, 9, sources());
  const Json status = when("", [](const Json&) { return true; });
  EXPECT_EQ(status["step"], 2);
  EXPECT_EQ(status["steps"], 9);
  EXPECT_EQ(status["at"], "stream");
  EXPECT_EQ(status["lives"], true);
  EXPECT_EQ(status["ranks"].size(), 2U);
  writer.end("done");
  const std::lock_guard lock(mutex);
  EXPECT_EQ(said.size(), 2U);
}

TEST_F(Writer, AStepALossAndTheEndAreInIt) {
  StatusWriter writer(folder.path(), "", 0, 9, sources());
  StepMetrics metrics;
  metrics.step = 1;
  metrics.loss = 2.5;
  metrics.times.seconds = {0, 0.5, 0, 0.125, 0.25, 0, 0};
  writer.step(metrics);
  const Json stepped = when("", [](const Json& status) { return status["step"] == 1; });
  EXPECT_EQ(stepped["loss"], 2.5);
  EXPECT_EQ(stepped["times"]["wait"], 0.25);
  {
    const std::lock_guard lock(mutex);
    ranks[1] = wafer_line(2, State::Lost, "its cable is cut");
  }
  const Json lost = when("", [](const Json& status) { return status["ranks"][1]["state"] == "lost"; });
  EXPECT_EQ(lost["ranks"][1]["why"], "its cable is cut");
  writer.end("failed: no power");
  const Json ended = read_status(folder.path());
  EXPECT_EQ(ended["end"], "failed: no power");
  EXPECT_EQ(ended["lives"], false);
  const std::lock_guard lock(mutex);
  ASSERT_EQ(said.size(), 3U);
  EXPECT_NE(said[2].find("wafer 1 on 10.0.0.2: lost"), std::string::npos) << said[2];
}

TEST_F(Writer, ExceptionOfASourceEndsNothing) {
  std::atomic<int> asked = 0;
  StatusSources bad{.ranks = [&]() -> std::vector<RankLine> {
                      if (++asked == 1) return {wafer_line(1, State::Here)};
                      throw std::runtime_error("no ranks");
                    },
                    .part = []() -> swarmx::Part { throw 1; },
                    .say = [](const std::string&) { throw std::bad_alloc(); }};
  StatusWriter writer(folder.path(), "", 0, 9, bad);
  while (asked < 3) std::this_thread::sleep_for(5ms);
  writer.end("done");
  const Json status = read_status(folder.path());
  EXPECT_EQ(status["end"], "done");
  EXPECT_EQ(status["ranks"].size(), 1U) << "as they were last";
}

TEST_F(Writer, AFolderThatCannotBeWrittenEndsNothing) {
  StatusWriter writer(folder / "nowhere", "", 0, 9, sources());
  writer.end("done");
  EXPECT_FALSE(std::filesystem::exists(folder / "nowhere"));
}

TEST_F(Writer, FollowsItsFolderAndTouchesNoOtherOfItsName) {
  std::filesystem::create_directory(folder / "a");
  StatusWriter writer(folder / "a", "", 0, 9, sources());
  when("a", [](const Json&) { return true; });
  std::filesystem::rename(folder / "a", folder / "b");
  std::filesystem::create_directory(folder / "a");
  StepMetrics metrics;
  metrics.step = 7;
  writer.step(metrics);
  when("b", [](const Json& status) { return status["step"] == 7; });
  writer.end("done");
  EXPECT_TRUE(std::filesystem::is_empty(folder / "a"));
  EXPECT_EQ(read_status(folder / "b")["end"], "done");
}

TEST_F(Writer, WithoutAnEndItIsAsItWasLast) {
  { const StatusWriter writer(folder.path(), "", 3, 9, sources()); }
  const Json status = read_status(folder.path());
  EXPECT_TRUE(status["end"].is_null());
  EXPECT_EQ(status["step"], 3);
}

}  // namespace
}  // namespace weft::metrics::status_writer_test
