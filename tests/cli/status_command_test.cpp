#include "host/cli/status/status_command.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "host/checkpoint/seal.hpp"
#include "host/metrics/status/read_status.hpp"
#include "sw/base/refusal.hpp"
#include "tests/metrics/status/lines.hpp"
#include "tests/says.hpp"
#include "tests/temporary_folder.hpp"

namespace weft::cli {
namespace {

using Json = nlohmann::json;

struct StatusCommand : testing::Test {
  test::TemporaryFolder folder;
  metrics::RunStatus status = metrics::two_wafers();

  std::string file() const { return folder / metrics::kStatusFile; }
  void write(double written = 1'000'000'000) {
    folder.write(metrics::kStatusFile, metrics::status_file(metrics::to_json(status), written));
  }
  std::string printed(bool json = false) const {
    std::ostringstream out;
    config::Options options{{"model_dir", folder.path().string()}};
    if (json) options["json"] = "";
    EXPECT_EQ(status_command(options, out), 0);
    return out.str();
  }
  std::string refused(const std::string& of) const {
    try {
      metrics::read_status(of);
    } catch (const Refusal& refusal) {
      return refusal.what();
    }
    return "nothing";
  }
};

TEST_F(StatusCommand, PrintsATableOfWhoDoesWhat) {
  write();
  const std::string text = printed();
  EXPECT_SAYS(text, "run     step 3 of 9, loss 2.50000: at work\n");
  EXPECT_SAYS(
      text, "time    of the last step, 1.000 s: rest 25% stream 50% room 0% compute 25% wait 0% reduce 0% update 0%\n");
  EXPECT_SAYS(text, "rank  role   name     host ");
  EXPECT_EQ(text.find("network"), std::string::npos);
  EXPECT_SAYS(text, "1     wafer  wafer 0  10.0.0.1");
  EXPECT_SAYS(text, "17             12.34 MB  4.5 kB    2.5 s  0       here: micro-batch 5 of step 4, 1.2 s\n");
  EXPECT_SAYS(text, "0.0 s  1       lost at 1970-01-1");
  EXPECT_SAYS(text, ": wafer 1 closed its connection\n");
}

TEST_F(StatusCommand, PrintsTheStallsOfTheNetworkThread) {
  status.stall = 0.0125, status.longest_stall = 1.5;
  write();
  EXPECT_SAYS(printed(), "\nnetwork longest stall of the root's thread: 0.013 s in the last step, 1.500 s in all\n");
}

/// Printing such a status would take a recursive call for each level.
TEST_F(StatusCommand, OneThatNestsDeeplyIsRefused) {
  for (const std::size_t levels : {100U, 1'000'000U}) {
    std::string text = metrics::status_file(metrics::to_json(status), 1'000'000'000);
    const std::size_t at = text.rfind("\"crc32c\"");
    ASSERT_NE(at, std::string::npos);
    text.replace(text.find_first_of("0123456789abcdef", at + 9), checkpoint::kNoChecksum.size(),
                 checkpoint::kNoChecksum);
    text.insert(at, "\"deep\": " + std::string(levels, '[') + std::string(levels, ']') + ", ");
    folder.write(metrics::kStatusFile, checkpoint::sealed(text));
    EXPECT_SAYS(refused(folder.path().string()), "is damaged");
  }
}

TEST_F(StatusCommand, PrintsAnObjectForPrograms) {
  write();
  const Json json = Json::parse(printed(true));
  EXPECT_EQ(json["step"], 3);
  EXPECT_EQ(json["lives"], true);
  EXPECT_GT(json["age"], 0);
  EXPECT_EQ(json["ranks"][1]["losses"], 1);
  EXPECT_FALSE(json.contains("crc32c"));
}

/// A status with a valid checksum may come from anybody who can write the file.
TEST_F(StatusCommand, PrintsNoByteThatATerminalObeys) {
  Json json = Json::parse(metrics::to_json(status));
  const std::string bad = "a\x1b[2J\u009b\u202e";
  json["times"][bad] = 1;
  json["ranks"][0]["name"] = bad;
  folder.write(metrics::kStatusFile, metrics::status_file(json.dump(), 1'000'000'000));
  for (const bool as_json : {false, true}) {
    const std::string text = printed(as_json);
    EXPECT_SAYS(text, as_json ? "a\\u001b[2J" : "a\\x1b[2J");
    for (const char c : text) EXPECT_TRUE((c >= ' ' && c <= '~') || c == '\n') << text;
  }
}

/// Three readings: at work, at work, done.
TEST_F(StatusCommand, WatchedUntilTheRunEnds) {
  const auto watched = [&](std::optional<ScreenSize> screen, bool json = false) {
    std::ostringstream out;
    status.end = "";
    write(1);
    int readings = 0;
    const auto size = [&] {
      if (++readings == 2) status.step = 4, status.end = "done";
      write(readings);
      return screen;
    };
    watch_status(folder.path().string(), json, out, size, std::chrono::milliseconds(1));
    status.step = 3;
    EXPECT_EQ(readings, 3);
    return out.str();
  };
  const std::string wide = watched(ScreenSize{.rows = 50, .columns = 200});
  EXPECT_SAYS(wide, "run     step 3 of 9, loss 2.50000: at work\x1b[K\n");
  EXPECT_SAYS(wide, "\x1b[J\x1b[8Frun     step 4 of 9, loss 2.50000: done\x1b[K\n");
  EXPECT_SAYS(wide, "1     wafer  wafer 0  10.0.0.1");
  EXPECT_EQ(wide.find("\x1b[2J"), std::string::npos) << "clearing the whole screen flickers";

  const std::string narrow = watched(ScreenSize{.rows = 4, .columns = 20});
  EXPECT_TRUE(narrow.starts_with("run     step 3 of 9,\x1b[K\n")) << narrow;
  EXPECT_SAYS(narrow, "\n... 6 more lines: ma\x1b[K\n\x1b[J\x1b[3F");

  const std::string piped = watched(std::nullopt);
  EXPECT_EQ(piped.find('\x1b'), std::string::npos) << piped;
  EXPECT_SAYS(piped, "\n\nrun     step 4 of 9, loss 2.50000: done\n");
  EXPECT_SAYS(watched(ScreenSize{.rows = 50, .columns = 200}, true), "}\n{\n");
}

TEST_F(StatusCommand, ARootThatIsGoneIsNoMore) {
  status.root.began += "0";
  write();
  EXPECT_SAYS(printed(), "the root ended without a reason. HINT: ");
  EXPECT_SAYS(printed(), ", which has ended\n");
  EXPECT_EQ(Json::parse(printed(true))["lives"], false);
}

TEST_F(StatusCommand, HintOfADeadRunNamesTheCheckpointFromWhichItContinues) {
  status.root.began += "0";
  write();
  EXPECT_SAYS(printed(), "; no checkpoint was saved, so that the same command starts the run again\n");
  EXPECT_TRUE(Json::parse(printed(true))["checkpoint"].is_null());
  for (const char* name : {"checkpoint_2.safetensors", "checkpoint_10.safetensors", "checkpoint_best.safetensors"})
    folder.write(name, "");
  EXPECT_SAYS(printed(), "; the same command continues from the checkpoint of step 10\n");
  EXPECT_EQ(Json::parse(printed(true))["checkpoint"], 10);
}

TEST_F(StatusCommand, ARootThatIsStoppedIsNotAtWork) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::raise(SIGSTOP);
    ::_exit(0);
  }
  int state = 0;
  ASSERT_EQ(::waitpid(child, &state, WUNTRACED), child);
  status.root = metrics::Process::of(child);
  write();
  EXPECT_SAYS(printed(), "the root is stopped. HINT: kill -CONT " + std::to_string(child));
  EXPECT_EQ(Json::parse(printed(true))["stopped"], true);
  ::kill(child, SIGKILL);
  ::waitpid(child, &state, 0);
  EXPECT_EQ(Json::parse(printed(true))["stopped"], false);
}

TEST_F(StatusCommand, ASealedTextThatNoRunWroteIsRefused) {
  for (const char* change : {"ranks", "written", "pid"}) {
    Json json = Json::parse(metrics::to_json(status));
    json["written"] = 1.5;
    json["crc32c"] = checkpoint::kNoChecksum;
    json["ranks"][0].erase("node");
    if (change != std::string("ranks")) json[change] = change == std::string("pid") ? Json("x") : Json(1e30);
    folder.write(metrics::kStatusFile, checkpoint::sealed(json.dump() + "\n"));
    std::ostringstream out;
    EXPECT_THROW(status_command({{"model_dir", folder.path().string()}}, out), Refusal) << change;
  }
}

TEST_F(StatusCommand, OtherHostIsUnknown) {
  status.root.host += ".elsewhere";
  write();
  EXPECT_SAYS(printed(), "at work when the status was written");
  EXPECT_TRUE(Json::parse(printed(true))["lives"].is_null());
}

TEST_F(StatusCommand, SaysHowTheRunEnded) {
  status.end = "failed: the disk is full";
  write();
  EXPECT_SAYS(printed(), "run     step 3 of 9, loss 2.50000: failed: the disk is full\n");
}

TEST_F(StatusCommand, FutureTimestampHasAgeZero) {
  write(1e11);
  EXPECT_EQ(Json::parse(printed(true))["age"], 0);
}

TEST_F(StatusCommand, NamesOfHostsDoNotReachTheTerminal) {
  status.ranks[0].status.host = "a\x1b[2Jb\nc\xff";
  status.root.host = "\x1b]0;x\x07";
  write();
  const std::string text = printed();
  EXPECT_SAYS(text, R"(a\x1b[2Jb\x0ac)");
  EXPECT_EQ(text.find('\x1b'), std::string::npos) << text;
  EXPECT_EQ(text.find('\x07'), std::string::npos) << text;
}

TEST_F(StatusCommand, AFolderThatIsNoneIsRefused) {
  EXPECT_SAYS(refused(folder / "nowhere"), "nowhere: is not a folder. HINT: name the runconfig.model_dir of a run");
  EXPECT_SAYS(refused(folder.write("text", "")), "text: is not a folder. HINT: ");
}

TEST_F(StatusCommand, AFolderWithoutARunIsRefused) {
  EXPECT_SAYS(refused(folder.path()), "status.json: does not exist: no run has trained in this folder. HINT: ");
}

TEST_F(StatusCommand, WithoutAFolderItAsksForOne) {
  std::ostringstream out;
  try {
    status_command({}, out);
    ADD_FAILURE() << out.str();
  } catch (const Refusal& refusal) {
    EXPECT_SAYS(refusal.what(), "--model_dir: missing. HINT: ");
  }
}

TEST_F(StatusCommand, EachBitThatIsOtherAndEachCutIsRefused) {
  write();
  const std::string whole = test::file_text(file());
  for (std::size_t at = 0; at + 1 < whole.size(); ++at) {
    std::string other = whole;
    other[at] ^= 1;
    folder.write(metrics::kStatusFile, other);
    EXPECT_SAYS(refused(folder.path()), "status.json: is damaged");
    folder.write(metrics::kStatusFile, whole.substr(0, at));
    EXPECT_SAYS(refused(folder.path()), "status.json: is damaged");
  }
}

TEST_F(StatusCommand, MalformedFileIsRejected) {
  for (const std::string json : {"{}", "[]", R"({"version": 1})", R"({"version": "1"})", "7 "}) {
    folder.write(metrics::kStatusFile, metrics::status_file(json, 1));
    EXPECT_SAYS(refused(folder.path()), "status.json: is damaged") << json;
  }
  folder.write(metrics::kStatusFile, metrics::status_file(R"({"version": 2})", 1));
  EXPECT_SAYS(refused(folder.path()), "status.json: has version 2 of the format, not 1. HINT: ");
}

}  // namespace
}  // namespace weft::cli
