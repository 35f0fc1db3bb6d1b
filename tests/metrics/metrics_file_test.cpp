/// metrics.jsonl: existing content is kept or its loss is reported; never lost silently.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <functional>

#include "host/checkpoint/seal.hpp"
#include "host/metrics/metrics.hpp"
#include "tests/checkpoint/files.hpp"
#include "tests/failing_system_calls.hpp"

namespace weft::metrics {
namespace {

constexpr const char *kRun = "0123456789abcdef", *kOther = "fedcba9876543210";

StepMetrics metrics(std::uint64_t step) {
  StepMetrics m;
  m.step = step;
  m.loss = 4.5;
  return m;
}

std::string refusal(const std::function<void()>& work) {
  try {
    work();
  } catch (const Refusal& e) {
    return e.what();
  }
  return "accepted";
}

class MetricsFileTest : public testing::Test {
 protected:
  std::string file() const { return folder_ / "metrics.jsonl"; }
  std::string text() const { return checkpoint::text_of(file()); }
  std::vector<std::string> lines() const {
    std::istringstream in(text());
    std::vector<std::string> result;
    for (std::string line; std::getline(in, line);) result.push_back(line);
    return result;
  }
  void write_steps(std::uint64_t first, std::uint64_t last, const char* run = kRun) const {
    MetricsFile out(folder_.path(), run);
    for (std::uint64_t step = first; step <= last; ++step) ASSERT_TRUE(out.add(metrics(step)));
  }
  std::string go_on(MetricsBefore before, const char* run = kRun) const {
    return refusal([&] { MetricsFile(folder_.path(), run, before); });
  }
  std::string go_on(std::uint64_t keep) const { return go_on(MetricsBefore{.keep = keep}); }

  checkpoint::TestFolder folder_{"metrics_file_test"};
};

TEST_F(MetricsFileTest, IsCompleteAfterEachStepAndEachLineIsSealed) {
  MetricsFile out(folder_ / "model", kRun);
  for (std::uint64_t step = 1; step <= 3; ++step) {
    ASSERT_TRUE(out.add(metrics(step)));
    const std::string all = checkpoint::text_of(folder_ / "model/metrics.jsonl");
    const std::string line = all.substr(all.rfind('\n', all.size() - 2) + 1);
    EXPECT_EQ(std::ranges::count(all, '\n'), static_cast<std::ptrdiff_t>(step));
    const std::string json = to_json(metrics(step));
    EXPECT_EQ(line.substr(0, json.size() - 1), json.substr(0, json.size() - 1));
    EXPECT_NE(line.find(R"(, "run": "0123456789abcdef", "crc32c": ")"), std::string::npos) << line;
    EXPECT_EQ(checkpoint::check_seal(line.substr(0, line.size() - 1)), checkpoint::Checksum::Right);
  }
  checkpoint::write_text(folder_ / "not_a_folder", "x");
  EXPECT_NE(refusal([&] { MetricsFile(folder_ / "not_a_folder", kRun); }), "accepted");
}

TEST_F(MetricsFileTest, AContinuedRunKeepsTheLinesUpToItsStart) {
  write_steps(1, 4);
  const std::vector<std::string> before = lines();
  checkpoint::write_text(file(), text() + to_json(metrics(5)).substr(0, 20));  // the torn line of a killed run
  ASSERT_TRUE(MetricsFile(folder_.path(), kRun, MetricsBefore{.keep = 2}).add(metrics(3)));
  EXPECT_EQ(lines(), (std::vector<std::string>{before[0], before[1], before[2]}));
  EXPECT_EQ(MetricsFile(folder_.path(), kRun, MetricsBefore{.keep = 2}).last()->step, 2U);
  ASSERT_TRUE(MetricsFile(folder_.path(), kRun, MetricsBefore{.keep = 2}).add(metrics(3)));
  EXPECT_EQ(go_on(3), "accepted");
  EXPECT_EQ(lines().size(), 3U);
}

TEST_F(MetricsFileTest, ADamagedOrMissingLineIsNamedAndNothingChanged) {
  write_steps(1, 4);
  const std::string whole = text();
  const auto refused = [&](const std::string& content, const std::string& problem) {
    checkpoint::write_text(file(), content);
    EXPECT_EQ(go_on(4), file() + problem + ". HINT: restore the file, or move it away to begin another one.");
    EXPECT_EQ(text(), content);
  };
  std::string flipped = whole;
  flipped[whole.find('\n') + 12] ^= 1;  // in the second line
  refused(flipped, ":2: is damaged");
  const std::size_t second = whole.find('\n') + 1, third = whole.find('\n', second) + 1;
  refused(whole.substr(0, second) + whole.substr(third), ":2: has step 3 in place of step 2");
  refused(whole.substr(0, third), ":3: ends before step 4, which the checkpoint has");
  refused(std::string(100, '\0') + "\n", ":1: is damaged");
  checkpoint::write_text(file(), "");
  write_steps(1, 4, kOther);
  EXPECT_EQ(go_on(4).rfind(
                file() + ":1: belongs to run fedcba9876543210, but the checkpoint belongs to run 0123456789abcdef", 0),
            0U);
}

TEST_F(MetricsFileTest, LinesOfAnotherStateOrWithoutTheirBeginningAreNotThose) {
  write_steps(1, 4);
  const std::string hash(16, '0');
  EXPECT_EQ(go_on(MetricsBefore{.keep = 4, .first = 1, .state_hash = hash}), "accepted");
  EXPECT_EQ(
      go_on(MetricsBefore{.keep = 4, .state_hash = "0123456789abcdef"}).rfind(file() + ":4: has another state hash", 0),
      0U);
  std::string rest = text();
  rest.erase(0, rest.find('\n') + 1);
  checkpoint::write_text(file(), rest);
  EXPECT_EQ(go_on(MetricsBefore{.keep = 4, .first = 1}).rfind(file() + ":1: has step 2 in place of step 1", 0), 0U);
  EXPECT_EQ(go_on(MetricsBefore{.keep = 4}), "accepted") << "nobody knows";
}

TEST_F(MetricsFileTest, ALineWithoutItsSealIsDamagedBehindOneThatHasIt) {
  write_steps(1, 3);
  std::string all = text();
  const std::size_t second = all.find('\n') + 1, cut = all.find(", \"run\"", second), end = all.find('\n', second);
  all.replace(cut, end - cut, "}");
  checkpoint::write_text(file(), all);
  EXPECT_EQ(go_on(3).rfind(file() + ":2: is damaged", 0), 0U);
  EXPECT_EQ(go_on(MetricsBefore{.keep = 3, .named = false}), "accepted") << "an older program went on here";
}

TEST_F(MetricsFileTest, SpecialFileIsRejectedWithoutAWait) {
  ASSERT_EQ(mkfifo(file().c_str(), 0600), 0);
  for (const std::uint64_t keep : {0, 3}) {
    EXPECT_EQ(go_on(keep),
              file() + ": cannot be read: it is not a regular file. HINT: move it away, or name one that is.");
    EXPECT_TRUE(std::filesystem::is_fifo(file()));
  }
  std::filesystem::remove(file());
  std::filesystem::create_directory(file());
  EXPECT_EQ(go_on(0).rfind(file() + ": cannot be read: Is a directory", 0), 0U);
}

TEST_F(MetricsFileTest, ThoseOfAnotherRunAreKeptUnderAnotherName) {
  write_steps(1, 2, kOther);
  const std::string theirs = text();
  {
    MetricsFile mine(folder_.path(), kRun);
    EXPECT_EQ(mine.note(),
              "note    metrics.jsonl belonged to another run and was renamed to " + (folder_ / "metrics.old1.jsonl"));
  }
  EXPECT_EQ(checkpoint::text_of(folder_ / "metrics.old1.jsonl"), theirs);
  checkpoint::write_text(file(), "my notes\n");
  MetricsFile(folder_.path(), kRun);
  EXPECT_EQ(checkpoint::text_of(folder_ / "metrics.old2.jsonl"), "my notes\n");
  write_steps(1, 2);
  EXPECT_EQ(MetricsFile(folder_.path(), kRun).note(), "") << "the same run, begun again";
  EXPECT_EQ(text(), "");
}

TEST_F(MetricsFileTest, OneThatSomebodyDeletesIsWrittenAgainAsAWhole) {
  MetricsFile out(folder_.path(), kRun);
  ASSERT_TRUE(out.add(metrics(1)));
  const std::string before = text();
  std::filesystem::remove(file());
  EXPECT_FALSE(out.add(metrics(2)));
  out.write_again();
  EXPECT_EQ(lines().size(), 2U);
  EXPECT_EQ(text().substr(0, before.size()), before);
  std::filesystem::remove(file());
  out.sync();
  EXPECT_EQ(lines().size(), 2U) << "after the last line, too";
  std::filesystem::remove(file());
  checkpoint::write_text(file(), "somebody's");
  EXPECT_FALSE(out.add(metrics(3)));
  EXPECT_EQ(refusal([&] { out.write_again(); }),
            file() + ": was replaced by another file. HINT: move it away; the same command continues.");
  EXPECT_EQ(text(), "somebody's");
  std::filesystem::rename(file(), folder_ / "theirs");
  EXPECT_EQ(go_on(2), "accepted");
  EXPECT_EQ(checkpoint::text_of(folder_ / "theirs"), "somebody's");
}

TEST_F(MetricsFileTest, AfterADiskThatFailedTheLinesAreKeptOnceItWorks) {
  MetricsFile out(folder_.path(), kRun);
  ASSERT_TRUE(out.add(metrics(1)));
  const pid_t child = ::fork();
  if (child == 0) {
    if (!test::fail_system_calls({{.number = SYS_fsync, .error = EIO}})) ::_exit(2);
    const std::string said = refusal([&] { out.sync(); });
    ::_exit(said.ends_with("cannot be written any more: Input/output error. HINT: check the disk.") ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  out.sync();
  EXPECT_EQ(go_on(1), "accepted");
}

TEST_F(MetricsFileTest, ALineThatDoesNotFitIsWrittenWithTheCheckpoint) {
  MetricsFile out(folder_.path(), kRun);
  ASSERT_TRUE(out.add(metrics(1)));
  EXPECT_EQ(out.unwritten(), "");
  const auto size = std::filesystem::file_size(file());
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{size + 10, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  EXPECT_THROW((void)out.add(metrics(2)), Refusal);
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(std::filesystem::file_size(file()), size);
  EXPECT_EQ(go_on(MetricsBefore{.keep = 2, .last = out.unwritten()}), "accepted");
  EXPECT_EQ(lines().size(), 2U);
  EXPECT_EQ(lines()[1], out.unwritten());
}

}  // namespace
}  // namespace weft::metrics
