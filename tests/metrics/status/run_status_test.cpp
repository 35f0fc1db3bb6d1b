#include "host/metrics/status/run_status.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <new>
#include <nlohmann/json.hpp>

#include "host/checkpoint/seal.hpp"
#include "tests/metrics/status/lines.hpp"

namespace {

thread_local int allocations_left = -1;  // of this thread, before one fails; negative: all succeed

}  // namespace

// Overrides the C++ library's operator new for all callers.
void* operator new(std::size_t size) {
  if (allocations_left == 0) throw std::bad_alloc();
  if (allocations_left > 0) --allocations_left;
  if (void* memory = std::malloc(std::max<std::size_t>(size, 1))) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace weft::metrics {
namespace {

using State = swarmx::RankStatus::State;
using Json = nlohmann::json;

TEST(RunStatus, SaysWhoDoesWhat) {
  const Json json = Json::parse(to_json(two_wafers()));
  EXPECT_EQ(json["step"], 3);
  EXPECT_EQ(json["loss"], 2.5);
  EXPECT_EQ(json["at"], "compute");
  EXPECT_EQ(json["times"]["stream"], 0.5);
  EXPECT_TRUE(json["end"].is_null());
  const Json& here = json["ranks"][0];
  EXPECT_EQ(here["rank"], 1);
  EXPECT_EQ(here["host"], "10.0.0.1");
  EXPECT_EQ(here["state"], "here");
  EXPECT_EQ(here["at"], Json({{"step", 4}, {"micro_batch", 5}, {"train", true}, {"seconds", 1.25}}));
  EXPECT_EQ(here["micro_batches"], 17);
  EXPECT_EQ(here["bytes_to"], 12'340'000);
  EXPECT_EQ(here["frames_from"], 20);
  EXPECT_EQ(here["waits"], 2.5);
  const Json& lost = json["ranks"][1];
  EXPECT_EQ(lost["state"], "lost");
  EXPECT_EQ(lost["since"], 1'000'000);
  EXPECT_EQ(lost["why"], "wafer 1 closed its connection");
  EXPECT_EQ(lost["losses"], 1);
  EXPECT_FALSE(lost.contains("at"));
}

TEST(RunStatus, HasTheStallsOfTheNetworkThreadIfThereAreProcesses) {
  RunStatus status = two_wafers();
  EXPECT_FALSE(Json::parse(to_json(status)).contains("stall"));
  status.stall = 0.0125, status.longest_stall = 1.5;
  EXPECT_EQ(Json::parse(to_json(status))["stall"], 0.013);
  EXPECT_EQ(Json::parse(to_json(status))["longest_stall"], 1.5);
}

TEST(RunStatus, IsOneSealedLineWhateverANameIs) {
  RunStatus status = two_wafers();
  status.root.host = "h\"o\xff\ns\x1b[31mt";
  status.ranks[0].status.host = "\xc3\x28\\";
  status.end = "failed: a\nb";
  const std::string file = status_file(to_json(status), 1234.5);
  EXPECT_EQ(file.find('\n'), file.size() - 1);
  EXPECT_EQ(checkpoint::check_seal(file), checkpoint::Checksum::Right);
  const Json json = Json::parse(file);
  EXPECT_EQ(json["written"], 1234.5);
  EXPECT_EQ(json["end"], "failed: a\\x0ab");
}

/// A run whose memory is used up continues without status.json, or ends with a message.
TEST(RunStatus, WithoutMemoryItIsNotWrittenAndTheProcessStays) {
  const RunStatus status = two_wafers();
  const std::string whole = to_json(status);
  int failed = 0;
  for (int n = 0;; ++n) {
    std::string json;
    try {
      allocations_left = n;
      json = to_json(status);
      allocations_left = -1;
    } catch (const std::bad_alloc&) {
      allocations_left = -1;
      ++failed;
      continue;
    }
    EXPECT_EQ(json, whole);
    break;
  }
  EXPECT_GT(failed, 10);
}

TEST(RunStatus, ALossThatIsNoNumberIsNull) {
  RunStatus status;
  EXPECT_TRUE(Json::parse(to_json(status))["loss"].is_null());
}

TEST(RunStatus, RanksAreNumberedAsTheProcessesAre) {
  swarmx::SwarmStatus swarm{.wafers = {{.name = "wafer 0"}, {.name = "wafer 1"}}};
  const auto ranks = [&](bool processes, bool data) {
    std::vector<int> result;
    for (const RankLine& line : ranks_of(swarm, processes, data)) result.push_back(line.rank);
    return result;
  };
  EXPECT_EQ(ranks(false, false), (std::vector{0, 0}));
  EXPECT_EQ(ranks(true, false), (std::vector{1, 2}));
  EXPECT_EQ(ranks(true, true), (std::vector{1, 2, 3}));
  EXPECT_EQ(ranks_of(swarm, true, true)[0].status.state, State::NotYet);
  swarm.data = swarmx::RankStatus{.name = "data", .state = State::Here};
  EXPECT_EQ(ranks_of(swarm, true, true)[0].status.state, State::Here);
}

TEST(RunStatus, UnexpectedMemberHasItsOwnNumber) {
  swarmx::SwarmStatus swarm{.wafers = {{.name = "wafer 0"}, {.name = "wafer 1"}, {.name = "wafer 12"}}};
  EXPECT_EQ(ranks_of(swarm, true, true).back().rank, 14);
  EXPECT_EQ(ranks_of(swarm, true, false).back().rank, 13);
  EXPECT_EQ(ranks_of(swarm, false, false).back().rank, 0);
}

TEST(Process, SelfIsRunning) {
  EXPECT_TRUE(Process::self().is_running());
  Process other = Process::self();
  other.began += "0";
  EXPECT_FALSE(other.is_running()) << "another one has the number now";
}

TEST(Process, EndedProcessIsNotAlive) {
  int wait[2];
  ASSERT_EQ(::pipe(wait), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    char c = 0;
    [[maybe_unused]] const ssize_t n = ::read(wait[0], &c, 1);
    ::_exit(0);
  }
  const Process process = Process::of(child);
  EXPECT_TRUE(process.is_running());
  ::kill(child, SIGKILL);
  siginfo_t end{};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(child), &end, WEXITED | WNOWAIT), 0);
  EXPECT_FALSE(process.is_running()) << "nobody has waited for it yet";
  EXPECT_EQ(::waitpid(child, nullptr, 0), child);
  EXPECT_FALSE(process.is_running());
}

}  // namespace
}  // namespace weft::metrics
