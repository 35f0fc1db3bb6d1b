/// Sets of files: two simultaneous writers, injected links, writers that are killed or run out of space.
#include "verif/trace/part_folder.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>

#include "sw/base/refusal.hpp"
#include "tests/isolated_child.hpp"
#include "tests/temporary_folder.hpp"
#include "tests/trace/read_fst.hpp"
#include "verif/trace/trace.hpp"

namespace weft::trace {
namespace {

namespace fs = std::filesystem;

constexpr machine::WaferShape kSmall{.rows = 2, .cols = 2};

struct TraceFiles : testing::Test {
  std::unique_ptr<Trace> trace(sim::TilePlace tile) const {
    return std::make_unique<Trace>(Trace::Options{.file = folder_ / "run.fst", .tiles = {tile}}, kSmall, nullptr);
  }
  /// Names in the folder, including hidden ones.
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& entry : fs::directory_iterator(folder_.path())) all.push_back(entry.path().filename().string());
    std::ranges::sort(all);
    return all;
  }
  bool has_tile(const std::string& name) const {
    const FstContent content = read_fst(folder_ / "run.fst");
    return std::ranges::any_of(content.signals, [&](const auto& s) { return s.first.starts_with(name + "."); });
  }
  const test::TemporaryFolder folder_;
  const std::vector<std::string> set_ = {"run.fst", "run.gtkw", "run.words"};
};

TEST_F(TraceFiles, AppearTogetherWhenTheyAreWhole) {
  const auto one = trace({0, 0});
  for (const std::string& name : names()) EXPECT_TRUE(name.starts_with(".")) << name;
  one->close();
  EXPECT_EQ(names(), set_);
}

TEST_F(TraceFiles, LastOfTwoConcurrentTracesKeepsItsView) {
  auto first = trace({0, 1}), second = trace({1, 0});
  first->close();
  EXPECT_TRUE(has_tile("tile_0_1"));
  second->close();
  first.reset();
  EXPECT_EQ(names(), set_);
  EXPECT_TRUE(has_tile("tile_1_0"));
  EXPECT_FALSE(has_tile("tile_0_1"));
  EXPECT_NE(test::file_text(folder_ / "run.gtkw").find("tile_1_0"), std::string::npos);
  EXPECT_EQ(test::file_text(folder_ / "run.gtkw").find("tile_0_1"), std::string::npos);
}

TEST_F(TraceFiles, AnotherTracesWordsDoNotStay) {
  folder_.write("run.bf16", "3f80 1\n");
  trace({0, 0})->close();
  EXPECT_EQ(names(), set_);
}

/// The FST library opens NAME.hier in the folder of NAME as well.
TEST_F(TraceFiles, FollowNoInjectedLink) {
  folder_.write("precious", "all that I have");
  for (const char* name : {"run.fst", "run.fst.hier", "run.gtkw", "run.words"})
    fs::create_symlink("precious", folder_ / name);
  trace({0, 0})->close();
  EXPECT_EQ(test::file_text(folder_ / "precious"), "all that I have");
  for (const std::string& name : set_) EXPECT_FALSE(fs::is_symlink(folder_ / name)) << name;
}

TEST_F(TraceFiles, KilledTraceKeepsEarlierOnesAndTheNextCleansUp) {
  trace({0, 0})->close();
  const std::string before = test::file_text(folder_ / "run.fst");
  const pid_t child = ::fork();
  if (child == 0) {
    const auto killed = trace({1, 1});
    ::raise(SIGKILL);
  }
  ::waitpid(child, nullptr, 0);
  EXPECT_EQ(names().size(), set_.size() + 1) << "its hidden folder";
  EXPECT_EQ(test::file_text(folder_ / "run.fst"), before);
  trace({0, 1})->close();
  EXPECT_EQ(names(), set_);
}

TEST_F(TraceFiles, WithoutRoomTheEarlierOnesStay) {
  trace({0, 0})->close();
  const std::string before = test::file_text(folder_ / "run.fst");
  test::in_isolated_child(
      [] {
        std::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{200, 200};
        return ::setrlimit(RLIMIT_FSIZE, &limit) == 0;
      },
      [&] {
        try {
          trace({1, 1})->close();
        } catch (const Refusal& refusal) {
          folder_.write("said", refusal.subject());
        }
      });
  EXPECT_EQ(test::file_text(folder_ / "said"), folder_ / "run.fst");
  fs::remove(folder_ / "said");
  EXPECT_EQ(names(), set_);
  EXPECT_EQ(test::file_text(folder_ / "run.fst"), before);
}

TEST_F(TraceFiles, InAFolderThatIsNotThereAreRefused) {
  EXPECT_THROW(PartFolder(folder_ / "none", "run.fst"), Refusal);
}

}  // namespace
}  // namespace weft::trace
