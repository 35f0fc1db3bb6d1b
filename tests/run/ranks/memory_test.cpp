/// MemoryX on ranks of its own: a run has the bits of one process, even if one of the ranks is killed.
#include <gtest/gtest.h>

#include "tests/run/ranks/seen_run.hpp"

namespace weft::test {
namespace {

/// Root, data, two ranks of MemoryX, two wafers.
class MemoryRanksRun : public SeenRun {
 protected:
  MemoryRanksRun() : SeenRun(0, 2, {}, 2) {
    for (int rank = 0; rank < 6; ++rank) all_.push_back(start(rank));
  }
  /// Interrupts the run and checks that each process ends well, and that the weights equal those of a single process.
  void expect_bits_of_one_process() {
    all_[0]->kill(SIGUSR1);
    EXPECT_EQ(all_[0]->wait(), 130) << all_[0]->errors();
    for (std::size_t rank = 1; rank < all_.size(); ++rank) EXPECT_EQ(all_[rank]->wait(), 0) << all_[rank]->errors();
    const int steps = when([](const Json& now) { return !now.at("end").is_null(); }).at("step");
    run("whole", steps, 1);
    EXPECT_NE(tensors("whole", steps), "none");
    EXPECT_TRUE(tensors("out", steps) == tensors("whole", steps)) << "after step " << steps;
  }
  std::vector<Process> all_;
};

TEST_F(MemoryRanksRun, HasTheBitsOfOneProcess) {
  const Json status = when([](const Json& now) { return now.at("step") > 20 && all_here(now); });
  for (int rank = 2; rank <= 3; ++rank) {
    EXPECT_EQ(of(status, rank).at("role"), "memory");
    EXPECT_EQ(of(status, rank).at("name"), "memory " + std::to_string(rank - 2));
    EXPECT_GT(of(status, rank).at("bytes_to"), 0);
    EXPECT_GT(of(status, rank).at("bytes_from"), 0);
  }
  EXPECT_SAYS(this->status(), "3     memory  memory 1  127.0.0.1");
  expect_bits_of_one_process();
  EXPECT_SAYS(log(2), "memory 0 has joined");
}

TEST_F(MemoryRanksRun, ContinuesFromItsLastCheckpointWhenOneIsKilled) {
  for (const int rank : {3, 2}) {
    const Json before = when([](const Json& now) { return now.at("lives") == true && all_here(now); });
    const int then = before.at("step").get<int>() / 50 * 50 + 60;  // after a checkpoint
    when([&](const Json& now) { return now.at("step") > then; });
    all_[static_cast<std::size_t>(rank)]->kill(SIGKILL);
    EXPECT_EQ(all_[0]->wait(), 130);
    EXPECT_SAYS(all_[0]->errors(), "memory " + std::to_string(rank - 2) + " is lost");
    EXPECT_SAYS(status(), "lost at ");
    all_[0] = start(0);
    all_[static_cast<std::size_t>(rank)] = start(rank);
  }
  const Json again = when([](const Json& now) { return now.at("lives") == true && all_here(now); });
  const int next = again.at("step").get<int>() + 20;
  when([&](const Json& now) { return now.at("step") > next; });
  expect_bits_of_one_process();
}

TEST_F(MemoryRanksRun, AKilledRootsRanksStartAgainWithTheNext) {
  when([](const Json& now) { return now.at("step") > 60; });
  all_[0]->kill(SIGKILL);
  all_[0]->wait();
  all_[0] = start(0);
  when([](const Json& now) { return now.at("lives") == true && now.at("step") > 70 && all_here(now); });
  expect_bits_of_one_process();
}

struct MissingMemory : SeenRun {
  MissingMemory() : SeenRun(0, 1, {}, 2) {}
};

TEST_F(MissingMemory, IsNamedWhileItIsWaitedFor) {
  const Process root = start(0), one = start(2);
  expect_soon(*root, "waits for memory 1, at most 57 s. HINT: check that the rank was started.");
}

struct StoppedMemory : SeenRun {
  StoppedMemory() : SeenRun(0, 1, {"--swarmx.silence", "2"}, 2) {}
};

TEST_F(StoppedMemory, IsLostAfterItsSilenceAndNoRankHangs) {
  std::vector<Process> all;
  for (int rank = 0; rank < 5; ++rank) all.push_back(start(rank));
  when([](const Json& now) { return now.at("step") > 20; });
  all[2]->kill(SIGSTOP);
  EXPECT_EQ(all[0]->wait(), 130);
  EXPECT_SAYS(all[0]->errors(), "memory 0 has sent nothing for 2 s");
}

/// Consecutive runs, each with a different number of ranks.
class MemoryReassigned : public Restart {
 protected:
  MemoryReassigned() {
    checkpoint::write_text(folder_ / "key", std::string(64, 'k'));
    std::filesystem::permissions(folder_ / "key", std::filesystem::perms::owner_read);
  }
  /// Starts a root, `memory` ranks of MemoryX, and a wafer.
  std::vector<Process> start_ranks(int memory, std::vector<std::string> words) {
    for (const char* word : {"--swarmx.key_file", "key", "--memoryx.ranks"})
      words.push_back(std::string(word) == "key" ? folder_ / "key" : std::string(word));
    words.push_back(std::to_string(memory));
    std::vector<Process> all;
    for (int rank = 0; rank < memory + 2; ++rank) {
      const Names environment = {"RANK=" + std::to_string(rank), "WORLD_SIZE=" + std::to_string(memory + 2),
                                 "MASTER_ADDR=127.0.0.1", "MASTER_PORT=" + std::to_string(port_.number())};
      all.push_back(std::make_unique<StartedProgram>(words, folder_ / ("errors_" + std::to_string(rank)), 0, 0,
                                                     environment, rank == 0 ? "" : "/dev/null"));
    }
    return all;
  }
  void run_ranks(int memory, const std::vector<std::string>& words) {
    const std::vector<Process> all = start_ranks(memory, words);
    for (const Process& process : all) EXPECT_EQ(process->wait(), 0) << process->errors();
    root_said_ = all[0]->rest();
  }
  /// The value of `memory  ... at most (VmHWM)` at the root's end, in MiB.
  double most() const {
    const std::size_t at = root_said_.find("\nmemory  ");
    double size = 0;
    char unit = ' ';
    if (at == std::string::npos || std::sscanf(root_said_.c_str() + at, "\nmemory  %lf %ciB", &size, &unit) != 2)
      return 0;
    return unit == 'G' ? 1024 * size : size;
  }
  std::string root_said_;

 private:
  swarmx::ReservedPort port_;
};

TEST_F(MemoryReassigned, ContinuesFromAnyNumberOfRanks) {
  run("whole", 9);
  run_ranks(2, words("a", 3));
  run("a", 5);
  run_ranks(1, words("a", 6));
  run_ranks(3, words("a", 8));
  run_ranks(2, words("a", 9));
  EXPECT_TRUE(checkpoint::text_of(file("whole", 9)) == checkpoint::text_of(file("a", 9)));
  const auto lines = [&](const std::string& name) {
    return checkpoint::metrics_without(
        folder_ / name, {"seconds", "sim_cycles", "fpu_utilization", "edge_bytes", "crc32c", "repeated"});
  };
  EXPECT_EQ(lines("whole"), lines("a"));
  expect_no_part("a");
}

TEST_F(MemoryReassigned, MoreRanksThanTensorsAreRefusedByTheirKey) {
  auto more = words("a", 1);
  more.insert(more.end(), {"--swarmx.key_file", folder_ / "key", "--memoryx.ranks", "900"});
  const Names root = {"RANK=0", "WORLD_SIZE=902", "MASTER_ADDR=127.0.0.1",
                      "MASTER_PORT=" + std::to_string(swarmx::ReservedPort().number())};
  StartedProgram program(more, folder_ / "errors", 0, 0, root);
  EXPECT_EQ(program.wait(), 2);
  EXPECT_EQ(program.errors().find("command line: memoryx.ranks: 900, but the tensors"), 0U) << program.errors();
}

TEST_F(MemoryReassigned, TheHashesOfGptTinyAreThoseOfOneProcess) {
  run_ranks(2, {"run", "--params", WEFT_CONFIGS "/gpt_tiny.yaml", "--backend", "model", "--model_dir", folder_ / "tiny",
                "--num_steps", "3", "--num_csx", "1"});
  std::vector<std::string> hashes;
  std::istringstream in(checkpoint::text_of(folder_ / "tiny/metrics.jsonl"));
  for (std::string line; std::getline(in, line);) hashes.push_back(Json::parse(line).at("state_hash"));
  EXPECT_EQ(hashes, (Names{"346465df9128f34a", "10a64096449fc404", "7239030b0111dd35"}));
}

constexpr const char* kWide = R"(
train_input: {data_dir: corpus.txt, batch_size: 2, micro_batch_size: 1}
model: {hidden_size: 512, num_hidden_layers: 1, num_heads: 2, filter_size: 2048, max_sequence_length: 8, vocab_size: 14}
optimizer: {learning_rate: 0.001, max_gradient_norm: 1}
wafer: {rows: 4, cols: 2, sram_kib: 128}
)";

TEST_F(MemoryReassigned, ARankWithoutMemoryForItsPartIsNotALostRank) {
  checkpoint::write_text(folder_ / "params.yaml", kWide);
  auto some = words("a", 2);
  some.insert(some.end(), {"--swarmx.timeout", "5"});
  const std::vector<Process> all = start_ranks(1, some);
  const rlimit limit{100 << 20, 100 << 20};  // address space: enough for the program, not for the tensors
  ASSERT_EQ(prlimit(all[1]->pid(), RLIMIT_AS, &limit, nullptr), 0);
  EXPECT_EQ(all[0]->wait(), 1) << all[0]->errors();
  EXPECT_SAYS(all[0]->errors(), "memory 0 has failed");
  EXPECT_EQ(all[1]->wait(), 2) << all[1]->errors();
  expect_no_part("a");
}

TEST_F(MemoryReassigned, TheRootHasNothingOfTheState) {
  checkpoint::write_text(folder_ / "params.yaml", kWide);
  run("whole", 2);
  double root[2];
  for (const int memory : {0, 2}) {
    const std::string name = "of_" + std::to_string(memory);
    run_ranks(memory, words(name, 2));
    EXPECT_TRUE(checkpoint::text_of(file("whole", 2)) == checkpoint::text_of(file(name, 2)));
    root[memory / 2] = most();
  }
  const double parameters = static_cast<double>(std::filesystem::file_size(file("whole", 2))) / 12;  // three vectors
  const double state = 20 * parameters / (1 << 20);
  std::cout << "root " << root[0] << " MiB with the state of " << state << " MiB, " << root[1] << " without\n";
  EXPECT_GT(root[1], 0);
  EXPECT_LT(root[1], root[0] - 0.7 * state);
}

}  // namespace
}  // namespace weft::test
