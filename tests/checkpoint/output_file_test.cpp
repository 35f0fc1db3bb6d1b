/// Output files of commands: two writers at once, a writer that fails, targets that are not regular files.
#include "host/checkpoint/output_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <stdexcept>

#include "tests/isolated_child.hpp"
#include "tests/temporary_folder.hpp"

namespace weft::checkpoint {
namespace {

namespace fs = std::filesystem;

struct OutputFileTest : testing::Test {
  std::size_t count() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()));
  }
  const test::TemporaryFolder folder_;
  const std::string name_ = folder_ / "out";
};

TEST_F(OutputFileTest, TheLastOfTwoWritersToEndLeavesAWholeFile) {
  const std::string ones(200'000, '1'), twos(300'000, '2');
  OutputFile first(name_), second(name_);
  for (int part = 0; part < 3; ++part) {
    first.stream() << ones;
    second.stream() << twos;
  }
  EXPECT_FALSE(fs::exists(name_));
  second.commit();
  EXPECT_EQ(test::file_text(name_), twos + twos + twos);
  first.commit();
  EXPECT_EQ(test::file_text(name_), ones + ones + ones);
  EXPECT_EQ(count(), 1U);
}

TEST_F(OutputFileTest, OneThatIsNotCommittedLeavesTheEarlierOne) {
  folder_.write("out", "of before");
  try {
    OutputFile file(name_);
    file.stream() << std::string(200'000, 'x') << std::flush;
    throw std::runtime_error("the command failed");
  } catch (const std::runtime_error&) {
  }
  EXPECT_EQ(test::file_text(name_), "of before");
  EXPECT_EQ(count(), 1U);
}

/// Runs in a child process, in which a file can have at most 1,000 bytes.
TEST_F(OutputFileTest, AFullDiskIsNamedByTheError) {
  test::in_isolated_child(
      [] {
        std::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{1000, 1000};
        return ::setrlimit(RLIMIT_FSIZE, &limit) == 0;
      },
      [&] {
        try {
          OutputFile file(name_);
          file.stream() << std::string(200'000, 'x');
          file.commit();
        } catch (const Refusal& refusal) {
          folder_.write("said", refusal.problem());
        }
      });
  EXPECT_EQ(test::file_text(folder_ / "said"), "cannot be written: File too large");
  EXPECT_FALSE(fs::exists(name_));
}

TEST_F(OutputFileTest, APipeGetsAllOfIt) {
  ASSERT_EQ(::mkfifo(name_.c_str(), 0600), 0);
  const Descriptor reader(::open(name_.c_str(), O_RDONLY | O_NONBLOCK));
  OutputFile file(name_);
  file.stream() << "text";
  file.commit();
  char got[8] = {};
  EXPECT_EQ(::read(reader.get(), got, sizeof got), 4);
  EXPECT_STREQ(got, "text");
  EXPECT_TRUE(fs::is_fifo(name_));
}

/// A device folder is not changed. The test has a private /dev.
TEST_F(OutputFileTest, ANameInAFolderOfDevicesIsNotReplaced) {
  test::in_isolated_child(
      [&] {
        folder_.write("victim", "");
        return test::mount_small_disk("/dev", "64k") && ::symlink((folder_ / "victim").c_str(), "/dev/stdout") == 0;
      },
      [&] {
        try {
          AtomicFile file("/dev/stdout");
          file.write("x");
          file.commit();
        } catch (const Refusal& refusal) {
          folder_.write("said", refusal.what());
        }
        if (fs::is_symlink("/dev/stdout")) folder_.write("stays", "");
      });
  if (IsSkipped()) return;
  EXPECT_EQ(test::file_text(folder_ / "said"),
            "/dev/stdout: is in a folder of devices, where no file can be created. HINT: name another.");
  EXPECT_TRUE(fs::exists(folder_ / "stays"));
}

}  // namespace
}  // namespace weft::checkpoint
