/// Event files on disk. TensorBoard's reading of them is checked in tests/interop/tensorboard_test.py.
#include "host/metrics/events/event_file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>

#include "host/checkpoint/error.hpp"
#include "host/metrics/events/event.hpp"
#include "host/metrics/events/fields.hpp"
#include "tests/checkpoint/files.hpp"

namespace weft::metrics {
namespace {

namespace fs = std::filesystem;

class EventFileTest : public testing::Test {
 protected:
  fs::path train() const { return folder_.path() / "train"; }
  std::string file(std::size_t n) const { return (train() / folder_.names("train").at(n)).string(); }

  checkpoint::TestFolder folder_{"event_file_test"};
};

TEST(Fields, AreThoseOfTheFormatsOwnExamples) {
  EXPECT_EQ(Fields().integer(1, 150).text(), "\x08\x96\x01");
  EXPECT_EQ(Fields().bytes(2, "testing").text(), "\x12\x07testing");
  EXPECT_EQ(Fields().message(3, Fields().integer(1, 150)).text(), "\x1a\x03\x08\x96\x01");
  EXPECT_EQ(Fields().float32(2, 1.0F).text(), std::string("\x15\x00\x00\x80\x3f", 5));
  EXPECT_EQ(Fields().float64(16, -2.0).text(), std::string("\x81\x01\x00\x00\x00\x00\x00\x00\x00\xc0", 10));
  EXPECT_EQ(Fields().integer(1, ~std::uint64_t{0}).text(), "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
}

TEST_F(EventFileTest, EachIsReadAfterThoseThatAreThere) {
  fs::create_directories(train());
  const std::string later = "events.out.tfevents.4000000000.somewhere.1";
  checkpoint::write_text((train() / later).string(), "");
  const EventFile first(train()), second(train());
  const auto names = folder_.names("train");
  ASSERT_EQ(names.size(), 3U);
  EXPECT_EQ(names[0], later);
  EXPECT_EQ(names[1].rfind("events.out.tfevents.4000000001.", 0), 0U) << names[1];
  EXPECT_EQ(names[2].rfind("events.out.tfevents.4000000002.", 0), 0U) << names[2];
}

TEST_F(EventFileTest, RecordThatDoesNotFitLeavesNothing) {
  EventFile out(train());
  out.add(event_record("whole"));
  const std::string before = checkpoint::text_of(file(0));
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{before.size() + 10, limit.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  try {
    out.add(event_record("far too long for ten bytes"));
    ADD_FAILURE() << "it was written";
  } catch (const Refusal& e) {
    EXPECT_EQ(e.subject(), file(0));
    EXPECT_EQ(e.problem(), "cannot be written: File too large");
  }
  EXPECT_THROW(EventFile(train(), std::string(before.size(), 'x')), Refusal);
  setrlimit(RLIMIT_FSIZE, &limit);
  EXPECT_EQ(folder_.names("train").size(), 1U) << "a file that has not even its beginning";
  EXPECT_EQ(checkpoint::text_of(file(0)), before);
  out.add(event_record("short"));
  EXPECT_EQ(checkpoint::text_of(file(0)), before + event_record("short"));
}

TEST_F(EventFileTest, TheStepsOfItsSummariesAreFoundAsFarAsItIsWhole) {
  EXPECT_FALSE(has_summary(train(), 300));
  Summary summary;
  summary.scalar("loss", 1);
  EventFile(train()).add(event_record(session_event(7)) + event_record(summary.event(5)) +
                         event_record(summary.event(300)));
  EventFile(train()).add(event_record(summary.event(6)));
  for (const std::uint64_t step : {5, 6, 300}) EXPECT_TRUE(has_summary(train(), step)) << step;
  for (const std::uint64_t step : {0, 7, 30, 301}) EXPECT_FALSE(has_summary(train(), step)) << step;
  fs::resize_file(file(0), fs::file_size(file(0)) - 1);
  EXPECT_TRUE(has_summary(train(), 5));
  EXPECT_FALSE(has_summary(train(), 300)) << "it is cut";
  EXPECT_TRUE(has_summary(train(), 6));
}

TEST_F(EventFileTest, KnowsWhetherItIsStillThere) {
  const EventFile out(train());
  EXPECT_TRUE(out.is_in(train()));
  fs::rename(train(), folder_.path() / "moved");
  EXPECT_FALSE(out.is_in(train()));
  EXPECT_TRUE(out.is_in(folder_.path() / "moved"));
  fs::remove_all(folder_.path() / "moved");
  EXPECT_FALSE(out.is_in(folder_.path() / "moved"));
}

TEST_F(EventFileTest, CreationErrorNamesTheFolder) {
  checkpoint::write_text(train().string(), "no folder");
  try {
    const EventFile out(train());
    ADD_FAILURE() << "it was made";
  } catch (const Refusal& e) {
    EXPECT_EQ(e.subject().rfind((train() / "events.out.tfevents.").string(), 0), 0U) << e.subject();
    EXPECT_EQ(e.problem(), "cannot be made: Not a directory");
  }
}

}  // namespace
}  // namespace weft::metrics
