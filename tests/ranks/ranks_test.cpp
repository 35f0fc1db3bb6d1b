#include "host/ranks/ranks.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "host/config/config.hpp"
#include "host/ranks/joining.hpp"
#include "host/ranks/launchers.hpp"
#include "host/ranks/step_ports.hpp"
#include "sw/base/refusal.hpp"

namespace weft::ranks {
namespace {

std::optional<Ranks> ranks(const std::map<std::string, std::string>& variables) {
  return read_ranks([&](const char* name) -> const char* {
    const auto at = variables.find(name);
    return at == variables.end() ? nullptr : at->second.c_str();
  });
}
std::string refused(const std::map<std::string, std::string>& variables) {
  try {
    ranks(variables);
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
  return "taken";
}

const std::map<std::string, std::string> kHosts = {
    {"RANK", "2"}, {"WORLD_SIZE", "5"}, {"MASTER_ADDR", "10.0.0.1"}, {"MASTER_PORT", "1234"}};
const std::map<std::string, std::string> kSlurm = {{"SLURM_PROCID", "0"},
                                                   {"SLURM_STEP_NUM_TASKS", "3"},
                                                   {"SLURM_JOB_ID", "77"},
                                                   {"SLURM_STEP_ID", "1"},
                                                   {"SLURM_STEP_NODELIST", "localhost"}};

std::map<std::string, std::string> with(std::map<std::string, std::string> all, const std::string& name,
                                        const std::string& value) {
  all[name] = value;
  if (value.empty()) all.erase(name);
  return all;
}

TEST(RanksOf, NothingIsOneProcess) {
  EXPECT_FALSE(ranks({}));
  EXPECT_FALSE(ranks(with(with(kHosts, "WORLD_SIZE", "1"), "RANK", "0")));
  EXPECT_FALSE(ranks(with(kSlurm, "SLURM_STEP_NUM_TASKS", "")));  // as in a batch script
  EXPECT_FALSE(ranks(with(kSlurm, "SLURM_STEP_NUM_TASKS", "1")));
}

TEST(RanksOf, TakesWhatIsSetForEachHost) {
  const Ranks some = ranks(kHosts).value();
  EXPECT_EQ(some.rank, 2);
  EXPECT_EQ(some.world, 5);
  EXPECT_EQ(some.address, "10.0.0.1");
  EXPECT_EQ(some.ports, std::vector<std::uint16_t>{1234});
  EXPECT_FALSE(some.root());
  EXPECT_FALSE(some.in_step);
  EXPECT_EQ(some.job, "");
}

TEST(RanksOf, TakesWhatSrunSays) {
  const Ranks some = ranks(kSlurm).value();
  EXPECT_TRUE(some.root());
  EXPECT_EQ(some.world, 3);
  EXPECT_EQ(some.job, "77.1");
  EXPECT_EQ(some.address, "localhost");
  EXPECT_NE(some.ports, ranks(with(kSlurm, "SLURM_STEP_ID", "2"))->ports);  // two steps use different ports
  EXPECT_EQ(ranks(with(kSlurm, "MASTER_PORT", "99"))->ports, std::vector<std::uint16_t>{99});
  EXPECT_EQ(ranks(with(kSlurm, "MASTER_ADDR", "n7"))->address, "n7");
}

TEST(RanksOf, NamesWhatIsMissingOrImpossible) {
  for (const char* name : {"WORLD_SIZE", "MASTER_PORT"}) {
    EXPECT_TRUE(refused(with(kHosts, name, "")).starts_with(name)) << refused(with(kHosts, name, ""));
  }
  EXPECT_EQ(refused(with(kHosts, "RANK", "5")).find("RANK: \"5\" is not a number from 0 to 4"), 0U);
  EXPECT_EQ(refused(with(kHosts, "RANK", "x")).find("RANK: \"x\""), 0U);
  EXPECT_EQ(refused(with(kHosts, "MASTER_PORT", "70000")).find("MASTER_PORT: "), 0U);
  EXPECT_EQ(refused(with(kSlurm, "SLURM_STEP_NODELIST", "")).find("SLURM_STEP_NODELIST: "), 0U);
}

TEST(RanksOf, OneOfSeveralThatDoesNotSayWhichIsRefused) {
  EXPECT_EQ(refused(with(kHosts, "RANK", "")).find("RANK: is not set, but WORLD_SIZE is 5. HINT: "), 0U);
  EXPECT_EQ(refused({{"WORLD_SIZE", "3"}}).find("RANK: is not set"), 0U);
  EXPECT_FALSE(ranks({{"WORLD_SIZE", "1"}, {"MASTER_ADDR", "n1"}}));
}

TEST(RanksOf, WithoutAnAddressAllAreOnTheLoopback) {
  EXPECT_EQ(ranks(with(kHosts, "MASTER_ADDR", "")).value().address, "127.0.0.1");
}

TEST(RanksOf, AnEmptyAddressIsNotThatOfTheLoopback) {
  auto hosts = kHosts;
  hosts["MASTER_ADDR"] = "";
  EXPECT_EQ(refused(hosts).find("MASTER_ADDR: is empty. HINT: "), 0U) << refused(hosts);
}

/// A key file that only this user can read, for the lifetime of the object.
class TestKeyFile {
 public:
  TestKeyFile() {
    std::ofstream(file()) << std::string(64, 'k');
    std::filesystem::permissions(file(), std::filesystem::perms::owner_read);
  }
  ~TestKeyFile() { std::filesystem::remove(file()); }
  TestKeyFile(const TestKeyFile&) = delete;
  TestKeyFile& operator=(const TestKeyFile&) = delete;
  static std::string file() {
    return (std::filesystem::temp_directory_path() / ("weft_ranks_" + std::to_string(::getpid()))).string();
  }
};

struct Joined : testing::Test {
  config::Config config;
  Joined() {
    config.runconfig.mode = "train";
    config.runconfig.model_dir = "out/x";
  }
  std::string refusal(int world) {
    try {
      join_ranks(config, {.rank = 0, .world = world, .ports = {29500}});
    } catch (const Refusal& error) {
      return error.what();
    }
    return "taken";
  }
};

/// A rank with a different heartbeat timeout would be lost again and again.
TEST_F(Joined, RanksOfAnotherSilenceAreOfAnotherJob) {
  const auto job = [&](double silence) {
    config.swarmx_silence = silence;
    const TestKeyFile key;
    config.swarmx_key_file = key.file();
    return join_ranks(config, {.rank = 1, .world = 3, .ports = {29500}})->job;
  };
  EXPECT_EQ(job(2.5), "out/x, silence 2.5 s,");
  EXPECT_NE(job(30), job(2.5));
  config.runconfig.model_dir = std::string(100, 'd') + "/run";
  EXPECT_TRUE(job(30).ends_with("d/run, silence 30 s,")) << job(30);
  EXPECT_EQ(job(30).size(), 64U);
}

TEST_F(Joined, WithoutAKeyIsRefusedWithTheWayToMakeOne) {
  EXPECT_NE(refusal(3).find("swarmx.key_file"), std::string::npos);
  EXPECT_NE(refusal(3).find("openssl rand"), std::string::npos);
}

TEST_F(Joined, AModeOfOneProcessIsRefused) {
  config.runconfig.mode = "generate";
  EXPECT_NE(refusal(3).find("generate needs a single process"), std::string::npos);
}

TEST_F(Joined, WafersThatTheRanksDoNotHaveAreRefused) {
  config.runconfig.num_csx = 3;
  config.places["runconfig.num_csx"] = {};
  EXPECT_NE(refusal(3).find("3, but in addition to the root there are 2 ranks"), std::string::npos) << refusal(3);
  EXPECT_NE(refusal(6).find("start 4 ranks, or 5"), std::string::npos) << refusal(6);
}

TEST_F(Joined, ARankThatReadsTheDataIsNothingToAnEvaluation) {
  config.runconfig.mode = "eval";
  config.runconfig.num_csx = 2;
  config.places["runconfig.num_csx"] = {};
  EXPECT_NE(refusal(4).find("leaves a rank to read the data"), std::string::npos) << refusal(4);
  EXPECT_NE(refusal(4).find("start 3 ranks"), std::string::npos) << refusal(4);
  EXPECT_EQ(refusal(3).find("read the data"), std::string::npos) << refusal(3);
}

TEST_F(Joined, NodesThatTheRanksDoNotHaveAreRefused) {
  config.swarmx_nodes = 2;
  EXPECT_NE(refusal(3).find("swarmx.nodes: 2, but in addition to the root there are 2 ranks"), std::string::npos)
      << refusal(3);
  config.runconfig.num_csx = 3;
  config.places["runconfig.num_csx"] = {};
  EXPECT_NE(refusal(8).find("3, but in addition to the root and 2 nodes there are 5 ranks"), std::string::npos)
      << refusal(8);
  EXPECT_NE(refusal(8).find("start 6 ranks, or 7"), std::string::npos) << refusal(8);
}

TEST_F(Joined, RanksOfMemoryXThatThereAreNotAreRefused) {
  config.memoryx_ranks = 2;
  EXPECT_NE(refusal(3).find("memoryx.ranks: 2, but in addition to the root there are 2 ranks"), std::string::npos)
      << refusal(3);
  config.swarmx_nodes = 1;
  EXPECT_NE(refusal(4).find("swarmx.nodes: 1, but in addition to the root and 2 of MemoryX there are 1 rank"),
            std::string::npos)
      << refusal(4);
  config.runconfig.num_csx = 3;
  config.places["runconfig.num_csx"] = {};
  EXPECT_NE(refusal(9).find("3, but in addition to the root and 2 of MemoryX and 1 node there are 5 ranks"),
            std::string::npos)
      << refusal(9);
}

TEST_F(Joined, UnsupportedMemoryXRankSettingIsRejectedByName) {
  config.memoryx_ranks = 2;
  config.memoryx_dram_gib = 1;
  EXPECT_NE(refusal(5).find("memoryx.ranks: 2 ranks, but memoryx.dram_gib"), std::string::npos) << refusal(5);
  config.memoryx_dram_gib = 0;
  config.sparsity.algorithm = "set";
  EXPECT_NE(refusal(5).find("sparsity.algorithm"), std::string::npos) << refusal(5);
  config.sparsity.algorithm = "static";
  config.runconfig.mode = "eval";
  EXPECT_NE(refusal(5).find("--mode eval"), std::string::npos) << refusal(5);
}

struct Alone : Joined {
  Alone() { config.memoryx_ranks = 2; }
  std::string refused_alone() {
    try {
      note_single_process(config, true);
    } catch (const Refusal& error) {
      return error.what();
    }
    return "taken";
  }
};

TEST_F(Alone, OneRankOfARunThatIsToHaveMoreIsRefused) {
  EXPECT_NE(refused_alone().find("memoryx.ranks: 2, but WORLD_SIZE is 1"), std::string::npos) << refused_alone();
  EXPECT_NE(refused_alone().find("start 4 ranks or more"), std::string::npos) << refused_alone();
  config.swarmx_nodes = 1;
  EXPECT_NE(refused_alone().find("start 5 ranks or more"), std::string::npos) << refused_alone();
  config.memoryx_ranks = 0;
  EXPECT_NE(refused_alone().find("swarmx.nodes: 1, but"), std::string::npos) << refused_alone();
}

TEST_F(Alone, AProcessThatIsTheWholeRunSaysWhatItDoesNotDo) {
  EXPECT_EQ(note_single_process(config, false),
            "ranks   only this process: memoryx.ranks 2 does not apply here, and the bits are the same");
  config.swarmx_nodes = 1;
  EXPECT_NE(note_single_process(config, false)->find("memoryx.ranks 2 and swarmx.nodes 1 do not apply here"),
            std::string::npos);
}

TEST_F(Alone, NoRanksOrAModeOfOneProcessGivesNoNote) {
  config.runconfig.mode = "generate";
  EXPECT_EQ(refused_alone(), "taken");
  EXPECT_EQ(note_single_process(config, false), std::nullopt);
  config.runconfig.mode = "train";
  config.memoryx_ranks = 0;
  EXPECT_EQ(refused_alone(), "taken");
  EXPECT_EQ(note_single_process(config, false), std::nullopt);
}

TEST(Joining, RanksAreDataMemoryXNodesAndThenWafers) {
  const auto rank = [](int number) { return Ranks{.rank = number, .world = 8}; };
  const Joining joining{.data = true, .memory = 2, .nodes = 1};
  for (const int number : {2, 3}) {
    EXPECT_TRUE(joining.is_memory_rank(rank(number))) << number;
    EXPECT_EQ(joining.memory_index(rank(number)), number - 2);
  }
  for (const int number : {0, 1, 4, 5}) EXPECT_FALSE(joining.is_memory_rank(rank(number))) << number;
  EXPECT_TRUE(joining.is_node_rank(rank(4)));
  EXPECT_EQ(joining.wafer_index(rank(5)), 0);
  for (const int number : {1, 2, 3, 4}) EXPECT_FALSE(joining.is_wafer_rank(rank(number))) << number;
  EXPECT_TRUE((Joining{.data = false, .memory = 1}).is_memory_rank(rank(1)));
}

TEST(Joining, RanksAreDataNodesAndThenWafers) {
  const auto rank = [](int number) { return Ranks{.rank = number, .world = 7}; };
  const Joining joining{.data = true, .nodes = 2};
  EXPECT_TRUE(joining.is_data_rank(rank(1)));
  for (const int number : {0, 1, 4, 5}) EXPECT_FALSE(joining.is_node_rank(rank(number))) << number;
  EXPECT_EQ(joining.node_index(rank(2)), 0);
  EXPECT_EQ(joining.node_index(rank(3)), 1);
  for (const int number : {2, 3}) EXPECT_TRUE(joining.is_node_rank(rank(number))) << number;
  for (const int number : {0, 1, 2, 3}) EXPECT_FALSE(joining.is_wafer_rank(rank(number))) << number;
  EXPECT_TRUE(joining.is_wafer_rank(rank(4)));
  EXPECT_EQ(joining.wafer_index(rank(4)), 0);
  EXPECT_FALSE((Joining{.data = false, .nodes = 0}).is_node_rank(rank(1)));
  EXPECT_TRUE((Joining{.data = false, .nodes = 1}).is_node_rank(rank(1)));
}

TEST_F(Joined, EagerUpdatesAreRefused) {
  config.memoryx_eager_update = true;
  EXPECT_NE(refusal(3).find("memoryx.eager_update"), std::string::npos);
}

TEST_F(Joined, MoreWafersThanThereAreCannotBeAskedFor) {
  config.swarmx_min_csx = 3;
  EXPECT_NE(refusal(3).find("swarmx.min_csx"), std::string::npos);
}

}  // namespace
}  // namespace weft::ranks
