/// Files that commands write: each one is complete, or as it was before.
#include <fcntl.h>
#include <sys/file.h>

#include <filesystem>
#include <map>

#include "sw/base/descriptor.hpp"
#include "tests/cli/program.hpp"
#include "tests/says.hpp"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

struct OutputFiles : testing::Test {
  OutputFiles() { write_small_run(folder_); }
  ProgramResult weft(Words words, const std::string& before = "true") {
    words.insert(words.begin() + 1, {"--params", "mine.yaml"});
    return run_program(folder_, words, before);
  }
  /// All files except a command's captured output, by path.
  std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path()))
      if (entry.is_regular_file()) all[entry.path().string()] = test::file_text(entry.path());
    all.erase(folder_ / "stdout");
    all.erase(folder_ / "stderr");
    return all;
  }
  /// Shell commands after which a file takes at most 512 bytes.
  static constexpr const char* kFull = "trap \"\" XFSZ && ulimit -f 1 && exec >/dev/null";

  const test::TemporaryFolder folder_;
};

TEST_F(OutputFiles, WithoutRoomForThemTheEarlierOnesStay) {
  std::map<Words, std::string> all = {
      {{"check", "--check.out", "order"}, "order"},
      {{"check", "--check.dot", "graph"}, "graph"},
      {{"profile", "--json", "a.json"}, "a.json"},
      {{"profile", "--perfetto", "a.trace"}, "a.trace"},
      {{"profile", "--png", "pictures"}, "pictures/heat.png"},
      {{"fingerprint", "--level", "state", "--step", "0", "--out", "fingerprint"}, "fingerprint"},
      {{"waves", "--phase", "loss", "--out", "waves"}, "waves/step1.loss.fst"},
  };
  std::erase_if(all, [&](const auto& one) {
    const ProgramResult first = weft(one.first);
    if (first.err.find("built without cairo") != std::string::npos) return true;
    EXPECT_EQ(first.status, 0) << one.first[1] << ": " << first.err;
    EXPECT_TRUE(fs::exists(folder_ / one.second)) << one.second;
    return false;
  });
  const auto before = files();
  for (const auto& [words, file] : all) {
    const ProgramResult full = weft(words, kFull);
    EXPECT_NE(full.status, 0) << words[1] << ": " << full.err;
    EXPECT_SAYS(full.err, file.substr(0, file.find('.')));
    EXPECT_SAYS(full.err, "HINT: ");
  }
  const auto after = files();
  for (const auto& [file, text] : after) EXPECT_TRUE(before.contains(file)) << "left: " << file;
  for (const auto& [file, text] : before) EXPECT_TRUE(after.contains(file) && after.at(file) == text) << file;
}

TEST_F(OutputFiles, APipeGetsTheTextAsItIsWritten) {
  const ProgramResult result = weft({"check", "--check.out", "pipe"}, "mkfifo pipe && { cat pipe >got & }");
  EXPECT_EQ(result.status, 0) << result.err;
  for (int k = 0; k < 100 && test::file_text(folder_ / "got").empty(); ++k) ::usleep(50'000);  // until cat has ended
  EXPECT_EQ(test::file_text(folder_ / "got").substr(0, 6), "phase ");
  EXPECT_TRUE(fs::is_fifo(folder_ / "pipe"));
}

/// Standard output is a file in this test. Replacing /dev/stdout would leave a regular file under that name for the
/// whole machine.
TEST_F(OutputFiles, AreNotWrittenOverTheNamesOfOpenFiles) {
  for (const char* name : {"/dev/fd/1", "/proc/self/fd/1"}) {
    const ProgramResult result = weft({"check", "--check.out", name});
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(result.err,
              std::string(name) + ": is in a folder of devices, where no file can be created. HINT: name another.\n");
  }
}

TEST_F(OutputFiles, TwoBisectionsDoNotShareAFolder) {
  folder_.write("b/.bisect.lock", "");
  const Descriptor other(::open((folder_ / "b/.bisect.lock").c_str(), O_WRONLY));
  ASSERT_EQ(::flock(other.get(), LOCK_EX | LOCK_NB), 0);
  const ProgramResult result = weft({"bisect", "model", "model", "--out", "b"});
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.err, "--out: b is in use by another weft bisect. HINT: wait for its end, or name another folder.\n");
}

TEST_F(OutputFiles, ABisectionFollowsNoLinkThatHasTheNameOfItsLog) {
  folder_.write("precious", "all that I have");
  fs::create_directory(folder_ / "b");
  for (const char* log : {"b/a.log", "b/b.log"}) fs::create_symlink(folder_ / "precious", folder_ / log);
  const ProgramResult result = weft({"bisect", "model", "model", "--num_steps", "1", "--out", "b"});
  EXPECT_EQ(result.status, 0) << result.out << result.err;
  EXPECT_EQ(test::file_text(folder_ / "precious"), "all that I have");
}

}  // namespace
}  // namespace weft::cli
