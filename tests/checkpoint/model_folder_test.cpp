#include "host/checkpoint/model_folder.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <csignal>
#include <functional>
#include <iostream>

#include "sw/base/part_name.hpp"
#include "tests/checkpoint/files.hpp"

namespace weft::checkpoint {
namespace {

using Names = std::vector<std::string>;

std::string refusal(const std::function<void()>& act) {
  try {
    act();
  } catch (const Refusal& e) {
    return e.what();
  }
  return "accepted";
}

std::string open_refusal(const std::string& path, std::uint64_t bytes = 0) {
  return refusal([&] { ModelFolder(path, bytes); });
}

TEST(AtomicFile, IsThereAfterCommitAndNotBefore) {
  const TestFolder folder("atomic_test");
  write_text(folder / "a", "old");
  {
    AtomicFile file(folder / "a");
    file.write("new");
    EXPECT_EQ(text_of(folder / "a"), "old");
    file.commit();
    EXPECT_EQ(text_of(folder / "a"), "new");
  }
  EXPECT_EQ(folder.names(), Names{"a"});
  AtomicFile(folder / "b").write("half");
  EXPECT_EQ(folder.names(), Names{"a"});
}

/// Two writers of one target: each file is complete, and the last commit wins.
TEST(AtomicFile, TwoWritersOfOneFileDoNotMix) {
  const TestFolder folder("atomic_two_test");
  AtomicFile one(folder / "a");
  one.write("one ");
  AtomicFile other(folder / "a");
  other.write("other ");
  one.write("and whole");
  other.write("and whole");
  one.commit();
  EXPECT_EQ(text_of(folder / "a"), "one and whole");
  other.commit();
  EXPECT_EQ(text_of(folder / "a"), "other and whole");
  EXPECT_EQ(folder.names(), Names{"a"});
}

/// A symbolic link at the temporary name points to another file, which must not change.
TEST(AtomicFile, ASymbolicLinkAtTheTemporaryNameIsNotFollowed) {
  const TestFolder folder("atomic_link_test");
  write_text(folder / "precious", "mine");
  std::string next = part_name("a");  // the name contains a counter
  next = next.substr(0, next.rfind('.') + 1) + std::to_string(std::stoi(next.substr(next.rfind('.') + 1)) + 1);
  for (const std::string& name : {std::string(".a.weft-part"), next})
    std::filesystem::create_symlink("precious", folder / name);
  AtomicFile file(folder / "a");
  file.write("new");
  file.commit();
  EXPECT_EQ(text_of(folder / "precious"), "mine");
  EXPECT_EQ(text_of(folder / "a"), "new");
  EXPECT_FALSE(std::filesystem::is_symlink(folder / "a"));
}

TEST(AtomicFile, FilesOfAKilledProcessAreRemovedWithTheNextFileInTheFolder) {
  const TestFolder folder("atomic_killed_test");
  const pid_t killed = fork();
  if (killed == 0) {
    AtomicFile file(folder / "other");
    std::raise(SIGKILL);
  }
  waitpid(killed, nullptr, 0);
  EXPECT_EQ(folder.names().size(), 1U);
  AtomicFile(folder / "a").commit();
  EXPECT_EQ(folder.names(), Names{"a"});
}

TEST(AtomicFile, ALongNameHasRoomForTheTemporaryOne) {
  const TestFolder folder("atomic_long_test");
  const std::string name(255, 'a');
  AtomicFile(folder / name).commit();
  EXPECT_EQ(folder.names(), Names{name});
}

TEST(AtomicFile, DoesNotReplaceAnythingButAFile) {
  const TestFolder folder("atomic_device_test");
  ASSERT_EQ(::mkfifo((folder / "a").c_str(), 0600), 0);
  EXPECT_EQ(refusal([&] { AtomicFile(folder / "a").commit(); }),
            (folder / "a") + ": exists and is not a regular file, and would be replaced by one. HINT: name another.");
  EXPECT_TRUE(std::filesystem::is_fifo(folder / "a"));
  EXPECT_EQ(folder.names(), Names{"a"});
}

TEST(AtomicFile, WithoutRoomLeavesTheOldFileAndNothingElse) {
  const TestFolder folder("atomic_full_test");
  write_text(folder / "a", "old");
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{1000, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const std::string what = refusal([&] {
    AtomicFile file(folder / "a");
    file.write(std::string(4000, 'x'));
  });
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(what, (folder / "a") +
                      ": cannot be written: File too large. HINT: raise the limit on the size of a "
                      "file (ulimit -f), or name another file system.");
  EXPECT_EQ(folder.names(), Names{"a"});
  EXPECT_EQ(text_of(folder / "a"), "old");
}

TEST(AtomicFile, AFileThatFindsNoRoomTakesNoneAwayFromOthers) {
  const TestFolder folder("atomic_room_test");
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{1000, before.rlim_max};
  AtomicFile file(folder / "a");
  const std::vector<std::uint8_t> some(900, 1);
  file.write_at(0, some);
  const std::string part = folder / folder.names().front();
  EXPECT_EQ(std::filesystem::file_size(part), 900U);
  setrlimit(RLIMIT_FSIZE, &small);
  const std::string what = refusal([&] { file.write_at(900, some); });
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_NE(what.find("cannot be written"), std::string::npos) << what;
  EXPECT_EQ(std::filesystem::file_size(part), 0U) << "though it still has its name";
}

TEST(AtomicFile, ASignalsHandlerCanRemoveWhatIsUnfinished) {
  const TestFolder folder("atomic_signal_test");
  AtomicFile file(folder / "a");
  EXPECT_EQ(folder.names().size(), 1U);
  discard_unfinished();
  EXPECT_TRUE(folder.names().empty());
}

TEST(ModelFolder, IsMadeAndRemovedAgainIfUnused) {
  const TestFolder folder("model_folder_test");
  { ModelFolder model(folder / "a/b", 1); }
  EXPECT_EQ(folder.names(), Names{}) << "with the folders that it is in";
  {
    ModelFolder model(folder / "a/b", 1);
    model.will_make("metrics.jsonl");
    model.keep();
    write_text(folder / "a/b/metrics.jsonl", "");
  }
  EXPECT_EQ(folder.names("a/b"), (Names{".lock", "metrics.jsonl"}));
  {
    ModelFolder model(folder / "a/b", 1);
    for (const char* name : {"metrics.jsonl", "vocab.json"}) {
      model.will_make(name);
      write_text(folder / "a/b" + "/" + name, "");
    }
  }
  EXPECT_EQ(folder.names("a/b"), (Names{".lock", "metrics.jsonl"})) << "what was there stays";
}

TEST(ModelFolder, FilesThatItMadeAreRemovedAtASignalToo) {
  const TestFolder folder("model_folder_signal_test");
  const pid_t child = fork();
  if (child == 0) {
    static ModelFolder model(folder / "a/b", 0);
    model.will_make("vocab.json");
    write_text(folder / "a/b/vocab.json", "");
    discard_provisional();
    std::raise(SIGKILL);
  }
  waitpid(child, nullptr, 0);
  EXPECT_EQ(folder.names(), Names{});
}

/// Processes take the folder briefly and leave nothing behind: it is never held by two of them at once.
TEST(ModelFolder, ALockThatIsRemovedIsNeverHeldTwice) {
  constexpr int kProcesses = 4, kTimes = 200;
  const TestFolder folder("model_folder_race_test");
  std::vector<pid_t> children;
  for (int p = 0; p < kProcesses; ++p) {
    children.push_back(fork());
    if (children.back() != 0) continue;
    int code = 0;
    for (int had = 0; had < kTimes && code == 0;) {
      try {
        const ModelFolder model(folder / "a/b", 0);
        const int mine = open((folder / "owner").c_str(), O_CREAT | O_EXCL | O_WRONLY, 0600);
        if (mine < 0) code = 1;
        close(mine);
        sched_yield();
        unlink((folder / "owner").c_str());
        ++had;
      } catch (const Refusal& e) {
        if (std::string_view(e.what()).find("is in use by process") != std::string_view::npos) continue;
        std::cerr << e.what() << '\n';
        code = 2;
      }
    }
    _exit(code);
  }
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0) << WEXITSTATUS(status) << ": 1: held twice, 2: an error other than in use";
  }
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path())) {
    EXPECT_TRUE(entry.is_directory()) << entry.path() << ": only a folder that another was using may be left";
  }
}

TEST(ModelFolder, CannotBeAFileOrBelowOne) {
  const TestFolder folder("model_folder_file_test");
  write_text(folder / "file", "x");
  for (const std::string& path : {folder / "file", folder / "file/below"}) {
    const std::string what = open_refusal(path);
    EXPECT_EQ(what.rfind(path + ": ", 0), 0U) << what;
    EXPECT_NE(what.find("HINT: set runconfig.model_dir to"), std::string::npos) << what;
  }
}

TEST(ModelFolder, WithoutRoomForACheckpointIsRejectedAndNotLeftBehind) {
  const TestFolder folder("model_folder_room_test");
  const std::string what = open_refusal(folder / "a", std::uint64_t{1} << 60);
  EXPECT_NE(what.find("a checkpoint takes 1152921504606846976"), std::string::npos) << what;
  EXPECT_EQ(folder.names(), Names{});
}

TEST(ModelFolder, IsForOneProcessAtATime) {
  const TestFolder folder("model_folder_lock_test");
  {
    ModelFolder first(folder / "a", 0);
    EXPECT_EQ(open_refusal(folder / "a"), (folder / "a") + ": is in use by process " + std::to_string(getpid()) +
                                              ". HINT: wait for its end, or set another runconfig.model_dir.");
    first.keep();
    write_text(folder / "a/metrics.jsonl", "");
  }
  EXPECT_EQ(open_refusal(folder / "a"), "accepted");
  // The lock of a killed process is released.
  const pid_t child = fork();
  if (child == 0) {
    static ModelFolder held(folder / "a", 0);
    std::raise(SIGKILL);
  }
  waitpid(child, nullptr, 0);
  EXPECT_EQ(open_refusal(folder / "a"), "accepted");
}

TEST(ModelFolder, RemovesFilesOfKilledRuns) {
  const TestFolder folder("model_folder_unfinished_test");
  const pid_t child = fork();
  if (child == 0) {
    static AtomicFile file(folder / "checkpoint_5.safetensors");
    file.write("half");
    std::raise(SIGKILL);
  }
  waitpid(child, nullptr, 0);
  write_text(folder / ".other", "");
  ASSERT_EQ(folder.names().size(), 2U);
  std::filesystem::create_directories(folder / "train/deeper");
  const std::string part = folder.names()[0];
  for (const char* below : {"train/", "train/deeper/"}) write_text(folder / (below + part), "half");
  ModelFolder(folder.path(), 0);
  EXPECT_EQ(folder.names(), (Names{".other", "train"}));
  EXPECT_EQ(folder.names("train"), Names{"deeper"});
  EXPECT_EQ(folder.names("train/deeper"), Names{part});  // not a folder that runs write to
}

TEST(ModelFolder, FindsCheckpointsNewestFirst) {
  const TestFolder folder("model_folder_list_test");
  for (const char* name : {"checkpoint_5.safetensors", "checkpoint_10.safetensors", "checkpoint_0.safetensors",
                           "checkpoint_.safetensors", "checkpoint_1x.safetensors", "checkpoint_-1.safetensors",
                           "checkpoint_.safetensor", "checkpoint_99999999999999999999.safetensors", "metrics.jsonl"}) {
    write_text(folder / name, "");
  }
  const ModelFolder model(folder.path(), 0);
  std::vector<std::uint64_t> steps;
  for (const CheckpointFile& entry : model.checkpoints()) {
    steps.push_back(entry.step);
    EXPECT_EQ(entry.file, model.checkpoint_file(entry.step));
  }
  EXPECT_EQ(steps, (std::vector<std::uint64_t>{10, 5, 0}));
}

TEST(ModelFolder, KeepsTheNewestAndNeverCountsFilesNewerThanTheRun) {
  const TestFolder folder("model_folder_prune_test");
  const ModelFolder model(folder.path(), 0);
  for (const std::uint64_t step : {0, 2, 4, 6, 8, 99}) write_text(model.checkpoint_file(step), "");
  const auto steps = [&] {
    std::vector<std::uint64_t> result;
    for (const CheckpointFile& entry : model.checkpoints()) result.push_back(entry.step);
    return result;
  };
  model.prune(1, 8, 0);
  EXPECT_EQ(steps().size(), 6U);
  model.prune(1, 8, 3);
  EXPECT_EQ(steps(), (std::vector<std::uint64_t>{99, 8, 6, 4, 0}));
  model.prune(0, 8, 1);
  EXPECT_EQ(steps(), (std::vector<std::uint64_t>{99, 8}));
}

}  // namespace
}  // namespace weft::checkpoint
