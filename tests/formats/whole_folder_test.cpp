/// Folders that are written completely or not at all.
#include "host/formats/whole_folder.hpp"

#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <functional>

#include "sw/base/part_name.hpp"
#include "tests/failing_system_calls.hpp"
#include "tests/formats/weights.hpp"

namespace weft::formats {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 2> kFiles = {"a", "b"};

class WholeFolderTest : public testing::Test {
 protected:
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path()))
      all.push_back(fs::relative(entry.path(), folder_.path()).string());
    std::ranges::sort(all);
    return all;
  }
  using Names = std::vector<std::string>;
  void make(bool ours = true, bool commit = true, const std::string& text = "new") {
    WholeFolder made(target_, kFiles, [ours](const fs::path&) { return ours; });
    std::ofstream(made.file("a")) << text;
    if (commit) made.commit();
  }

  test::TemporaryFolder folder_;
  std::string target_ = folder_ / "out/x";
};

TEST_F(WholeFolderTest, ItIsThereWhenItIsCommittedAndLeavesNothingElse) {
  make(true, false);
  EXPECT_EQ(names(), Names{}) << "its parent goes again, too";
  make();
  EXPECT_EQ(names(), (Names{"out", "out/x", "out/x/a"}));
}

TEST_F(WholeFolderTest, AnEmptyFolderOrOnesOwnIsReplaced) {
  fs::create_directories(target_);
  make(false);
  EXPECT_EQ(test::file_text(target_ + "/a"), "new");
  folder_.write("out/x/b", "of before");
  make(true, false, "newer");
  EXPECT_EQ(test::file_text(target_ + "/a"), "new");
  make(true, true, "newer");
  EXPECT_EQ(names(), (Names{"out", "out/x", "out/x/a"})) << "no file of the old one stays";
  EXPECT_EQ(test::file_text(target_ + "/a"), "newer");
}

/// A file system that cannot exchange two names, such as NFS.
struct WholeFolderOnANetwork : WholeFolderTest {
  /// Runs `act` in a child process in which these calls fail; returns its error.
  std::string in_another(const std::vector<test::FailingCall>& calls, const std::function<void()>& act) {
    const std::string file = folder_ / "said";
    const pid_t child = fork();
    if (child == 0) {
      if (!test::fail_system_calls(calls)) _exit(77);
      std::ofstream(file) << refusal_of(act);
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    const std::string said = test::file_text(file);
    fs::remove(file);
    return said;
  }
};

TEST_F(WholeFolderOnANetwork, OnesOwnIsReplacedAsEverywhere) {
  for (const int error : {EINVAL, ENOSYS, EOPNOTSUPP}) {
    const std::vector<test::FailingCall> calls = {{SYS_renameat2, error, 4}};
    fs::remove_all(folder_ / "out");
    EXPECT_EQ(in_another(calls, [&] { make(true, true, "first"); }), "accepted");
    EXPECT_EQ(test::file_text(target_ + "/a"), "first");
    folder_.write("out/x/b", "of before");
    EXPECT_EQ(in_another(calls, [&] { make(true, true, "second"); }), "accepted");
    EXPECT_EQ(names(), (Names{"out", "out/x", "out/x/a"}));
    EXPECT_EQ(test::file_text(target_ + "/a"), "second");
  }
}

TEST_F(WholeFolderOnANetwork, TheOldOneStaysIfTheNewOneCannotHaveItsName) {
  make(true, true, "old");
  const auto spoilt = [&] {
    WholeFolder made(target_, kFiles, [](const fs::path&) { return true; });
    std::ofstream(made.file("a")) << "new";
    // A mount point cannot be renamed.
    const bool mounted = unshare(CLONE_NEWNS | (geteuid() == 0 ? 0 : CLONE_NEWUSER)) == 0 &&
                         mount(made.part().c_str(), made.part().c_str(), nullptr, MS_BIND, nullptr) == 0;
    if (!mounted) throw Refusal("", "no name space", "skip");
    made.commit();
  };
  const std::string said = in_another({{SYS_renameat2, EINVAL, 4}}, spoilt);
  if (said.find("no name space") != said.npos) GTEST_SKIP() << said;
  EXPECT_SAYS(said, "out/x: cannot be written: Device or resource busy");
  EXPECT_EQ(test::file_text(target_ + "/a"), "old");
}

TEST_F(WholeFolderOnANetwork, AnExportKilledBetweenLeavesTheOldOneForTheNext) {
  make(true, true, "old");
  pid_t gone = fork();
  if (gone == 0) _exit(0);
  waitpid(gone, nullptr, 0);
  const std::string aside = folder_ / ("out/.x.weft-old." + std::to_string(gone));
  fs::rename(target_, aside);
  EXPECT_SAYS(refusal_of([&] { make(false, false); }), "exists and was not written by weft export");
  EXPECT_EQ(test::file_text(target_ + "/a"), "old");
  fs::create_directory(aside);
  make(true, true, "new");
  EXPECT_EQ(names(), (Names{"out", "out/x", "out/x/a"})) << "one that has a successor goes";
}

/// On an overlay file system, a folder of the lower layer cannot be renamed (EXDEV).
struct WholeFolderOnAnOverlay : WholeFolderOnANetwork {
  void SetUp() override {
    folder_.write("lower/out/x/a", "old");
    folder_.write("lower/out/x/b", "old, too");
    for (const char* name : {"upper", "work", "merged"}) fs::create_directory(folder_ / name);
    target_ = folder_ / "merged/out/x";
  }
  /// Runs `act` with the layers mounted; returns its error, or the content of the target folder.
  std::string mounted(const std::function<void()>& act) {
    return in_another({}, [&] {
      const std::string layers =
          "lowerdir=" + (folder_ / "lower") + ",upperdir=" + (folder_ / "upper") + ",workdir=" + (folder_ / "work");
      if (unshare(CLONE_NEWNS | (geteuid() == 0 ? 0 : CLONE_NEWUSER)) != 0 ||
          mount("overlay", (folder_ / "merged").c_str(), "overlay", 0, (layers + ",redirect_dir=off").c_str()) != 0)
        throw Refusal("", "no overlay", "skip");
      act();
      std::string there;
      for (const auto& entry : fs::recursive_directory_iterator(folder_ / "merged"))
        if (entry.is_regular_file())
          there +=
              fs::relative(entry.path(), folder_ / "merged").string() + ": " + test::file_text(entry.path()) + "; ";
      throw Refusal("", there, "-");
    });
  }
};

TEST_F(WholeFolderOnAnOverlay, OneOfTheLowerLayerIsReplaced) {
  const std::string said = mounted([&] {
    make(true, false, "never");
    make(true, true, "new");
    make(true, true, "newer");
  });
  if (said.find("no overlay") != said.npos) GTEST_SKIP() << said;
  EXPECT_SAYS(said, "out/x/a: newer; . HINT: ");
  EXPECT_EQ(said.find("old"), said.npos) << said;
  EXPECT_EQ(said.find("weft"), said.npos) << said;
}

/// The old folder is copied to another name while the original is emptied.
TEST_F(WholeFolderOnAnOverlay, AnExportKilledWhileEmptyingLeavesACopyForTheNext) {
  const pid_t gone = fork();
  if (gone == 0) _exit(0);
  waitpid(gone, nullptr, 0);
  for (const bool emptied : {false, true}) {
    const std::string copy = "out/.x.weft-copy." + std::to_string(gone);
    folder_.write(copy + "/a", "old");
    folder_.write(copy + "/b", "old, too");
    if (emptied)
      fs::remove_all(folder_ / "out/x");
    else
      folder_.write("out/x/b", "old, too");
    target_ = folder_ / "out/x";
    EXPECT_SAYS(refusal_of([&] { make(false, false); }), "exists and was not written by weft export");
    EXPECT_EQ(test::file_text(target_ + "/a"), "old") << emptied;
    EXPECT_EQ(test::file_text(target_ + "/b"), "old, too");
    EXPECT_FALSE(fs::exists(folder_ / copy));
  }
  folder_.write("out/.x.weft-copy." + std::to_string(gone) + "/a", "old");
  EXPECT_SAYS(refusal_of([&] { make(false, false); }), "exists and was not written by weft export");
  EXPECT_EQ(test::file_text(target_ + "/b"), "old, too") << "a folder with another file is a new one";
  fs::remove_all(target_);
  folder_.write("out/.x.weft-copy." + std::to_string(gone) + "/a", "old");
  folder_.write("out/x", "mine");
  EXPECT_SAYS(refusal_of([&] { make(); }), "exists and is not a folder");
  EXPECT_EQ(test::file_text(target_), "mine");
}

TEST_F(WholeFolderTest, ForeignFileStays) {
  folder_.write("out/x/a", "mine");
  EXPECT_SAYS(refusal_of([&] { make(false); }), "out/x: exists and was not written by weft export");
  folder_.write("out/x/notes", "mine");
  EXPECT_SAYS(refusal_of([&] { make(); }), "has a file that weft export does not write: notes");
  EXPECT_EQ(names(), (Names{"out", "out/x", "out/x/a", "out/x/notes"}));
  target_ = folder_ / "out/x/a";
  EXPECT_SAYS(refusal_of([&] { make(); }), "exists and is not a folder");
}

/// A finished process has left an incomplete folder, and a running one is still writing another.
TEST_F(WholeFolderTest, EndedProcessPartIsRemovedAndRunningOneStays) {
  fs::create_directories(folder_ / "out");
  const pid_t ended = fork();
  if (ended == 0) {
    fs::create_directory(folder_ / "out" + "/" + part_name("x"));
    _exit(0);
  }
  waitpid(ended, nullptr, 0);
  ASSERT_EQ(names().size(), 2U);
  const std::string mine = "out/" + part_name("y");
  folder_.write(mine + "/a", "of one that goes on");
  make();
  EXPECT_EQ(names(), (Names{"out", mine, mine + "/a", "out/x", "out/x/a"}));
}

TEST_F(WholeFolderTest, AFolderThatHasComeMeanwhileStays) {
  WholeFolder made(target_, kFiles, [](const fs::path&) { return true; });
  folder_.write("out/x/a", "another's");
  EXPECT_SAYS(refusal_of([&] { made.commit(); }), "out/x: cannot be written: File exists");
  EXPECT_EQ(test::file_text(target_ + "/a"), "another's");
}

}  // namespace
}  // namespace weft::formats
