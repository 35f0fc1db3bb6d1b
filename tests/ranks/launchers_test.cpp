/// Ranks from the environment variables of several launchers.
#include "host/ranks/launchers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "host/ranks/node_list.hpp"
#include "host/ranks/ranks.hpp"
#include "host/ranks/step_ports.hpp"
#include "sw/base/refusal.hpp"
#include "tests/says.hpp"

namespace weft::ranks::launchers_test {
namespace {

using Names = std::vector<std::string>;
using Variables = std::map<std::string, std::string>;

const Variables kStep = {{"SLURM_PROCID", "0"},
                         {"SLURM_STEP_NUM_TASKS", "3"},
                         {"SLURM_JOB_ID", "77"},
                         {"SLURM_STEP_ID", "1"},
                         {"SLURM_STEP_NODELIST", "localhost,n[2-3]"}};
const Variables kByHand = {{"RANK", "1"}, {"WORLD_SIZE", "2"}, {"MASTER_ADDR", "10.0.0.1"}, {"MASTER_PORT", "1234"}};

Variables joined(Variables all, const Variables& more) {
  for (const auto& [name, value] : more) all[name] = value;
  return all;
}

Environment environment_of(const Variables& variables) {
  return [&variables](const char* name) -> const char* {
    const auto at = variables.find(name);
    return at == variables.end() ? nullptr : at->second.c_str();
  };
}

std::optional<Ranks> ranks(const Variables& variables) { return read_ranks(environment_of(variables)); }
std::optional<std::string> note(const Variables& variables) { return note_launchers(environment_of(variables)); }

std::string refused(const Variables& variables) {
  try {
    ranks(variables);
  } catch (const Refusal& error) {
    return error.what();
  }
  return "taken";
}

TEST(Launchers, ManualSettingOverridesSlurm) {
  const Ranks some = ranks(joined(kStep, kByHand)).value();
  EXPECT_EQ(some.rank, 1);
  EXPECT_EQ(some.world, 2);
  EXPECT_EQ(some.address, "10.0.0.1");
  EXPECT_EQ(some.ports, std::vector<std::uint16_t>{1234});
  EXPECT_TRUE(some.in_step);  // so MUNGE is available
  EXPECT_EQ(some.job, "");    // but the run is not the whole step
}

TEST(Launchers, TwoThatDisagreeAreNamed) {
  EXPECT_EQ(note(joined(kStep, kByHand)),
            "ranks   RANK 1 and WORLD_SIZE 2 apply, though SLURM_PROCID is 0 and SLURM_STEP_NUM_TASKS 3");
  EXPECT_EQ(note(joined(kStep, {{"RANK", "0"}, {"WORLD_SIZE", "1"}})),
            "ranks   RANK 0 and WORLD_SIZE 1 apply, though SLURM_PROCID is 0 and SLURM_STEP_NUM_TASKS 3");
  EXPECT_EQ(note(kStep), std::nullopt);
  EXPECT_EQ(note(kByHand), std::nullopt);
  EXPECT_EQ(note(joined(kStep, {{"RANK", "0"}, {"WORLD_SIZE", "3"}})), std::nullopt);
}

/// torchrun itself listens at MASTER_PORT.
TEST(Launchers, TorchrunRootListensAtThePortAfterItsOwn) {
  const Variables torchrun = joined(kByHand, {{"TORCHELASTIC_RUN_ID", "none"}});
  const auto ports = ranks(joined(kStep, torchrun))->ports;
  EXPECT_EQ(ports, (std::vector<std::uint16_t>{1234, 1235, 1236, 1237, 1238, 1239, 1240, 1241}));
  EXPECT_EQ(ranks(joined(torchrun, {{"MASTER_PORT", "65534"}}))->ports, (std::vector<std::uint16_t>{65534, 65535}));
}

TEST(Launchers, OneProcessByHandIsOneProcessInAStep) {
  EXPECT_FALSE(ranks(joined(kStep, {{"RANK", "0"}, {"WORLD_SIZE", "1"}})));
}

/// PyTorch scripts often export everything except RANK, which Slurm sets for each rank.
TEST(Launchers, UnsetVariableIsFoundInTheStep) {
  const Ranks rank = ranks(joined(kStep, {{"WORLD_SIZE", "3"}, {"MASTER_ADDR", "n7"}, {"MASTER_PORT", "99"}})).value();
  EXPECT_EQ(rank.address, "n7");
  EXPECT_EQ(rank.ports, std::vector<std::uint16_t>{99});
  EXPECT_EQ(rank.job, "77.1");
  EXPECT_EQ(ranks(joined(kStep, {{"RANK", "0"}}))->world, 3);
  EXPECT_EQ(ranks(joined(kStep, {{"RANK", "0"}, {"WORLD_SIZE", "3"}}))->address, "localhost");
  EXPECT_EQ(ranks(joined(kStep, {{"MASTER_ADDR", ""}, {"MASTER_PORT", ""}}))->address, "localhost");
}

TEST(Launchers, HalfOfWhatIsSetByHandIsNotCompletedWithWhatContradictsIt) {
  EXPECT_SAYS(refused(joined(kStep, {{"WORLD_SIZE", "4"}})),
              "WORLD_SIZE: is 4, but SLURM_STEP_NUM_TASKS is 3. HINT: set RANK, too");
  EXPECT_SAYS(refused(joined(kStep, {{"RANK", "1"}})), "WORLD_SIZE: is not set, but RANK is");
  EXPECT_SAYS(refused(joined(kStep, {{"RANK", "1"}, {"WORLD_SIZE", "3"}, {"MASTER_ADDR", ""}})),
              "MASTER_ADDR: is empty");
  EXPECT_SAYS(refused(joined(kStep, {{"RANK", "1"}, {"WORLD_SIZE", "3"}})), "MASTER_ADDR: is not set, but RANK is");
}

TEST(Launchers, TheLargestIdsOfSlurmAreTaken) {
  const auto ids = [](const char* job, const char* step) {
    return joined(kStep, {{"SLURM_JOB_ID", job}, {"SLURM_STEP_ID", step}});
  };
  EXPECT_EQ(ranks(ids("4294967295", "4294967290"))->job, "4294967295.4294967290");
  EXPECT_EQ(ranks(ids("1073741825", "0"))->job, "1073741825.0");
  for (const char* bad : {"", "-1", "4294967296", "7x", "99999999999999999999", "0x10", " 7"})
    EXPECT_SAYS(refused(ids(bad, "0")), "SLURM_JOB_ID: ");
  EXPECT_SAYS(refused(ids("-1", "0")), "HINT: set RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT, which override");
}

/// Follows the hint of the error about Slurm's variables.
TEST(Launchers, ByHandWhateverSlurmSaysIsNotRead) {
  const Variables wrong = {{"SLURM_JOB_ID", "no"}, {"SLURM_STEP_ID", ""}, {"SLURM_PROCID", "9"}};
  EXPECT_NE(refused(joined(kStep, wrong)), "taken");
  EXPECT_EQ(ranks(joined(joined(kStep, wrong), kByHand))->world, 2);
  EXPECT_EQ(note(joined(joined(kStep, wrong), kByHand)), std::nullopt);
}

TEST(Launchers, RanksThatMakeNoSenseAreRefusedByName) {
  for (const char* bad : {"3", "-1", "x", "", "1.5"}) {
    EXPECT_SAYS(refused(joined(kStep, {{"SLURM_PROCID", bad}})), "SLURM_PROCID: \"" + std::string(bad) + "\" is no");
    EXPECT_SAYS(refused(joined(kByHand, {{"RANK", bad}})), "RANK: \"" + std::string(bad) + "\" is no");
  }
  for (const char* bad : {"0", "-1", "x", "", "1.5", "2000000"})
    EXPECT_SAYS(refused(joined(kStep, {{"SLURM_STEP_NUM_TASKS", bad}})), "SLURM_STEP_NUM_TASKS: \"");
}

TEST(Launchers, MpirunSaysWhichRankAndIsTheInnerOneOfSlurm) {
  const Variables mpirun = {{"OMPI_COMM_WORLD_RANK", "4"}, {"OMPI_COMM_WORLD_SIZE", "6"}};
  EXPECT_SAYS(refused(mpirun), "MASTER_PORT: is not set, but OMPI_COMM_WORLD_RANK is. HINT: set MASTER_ADDR");
  const Variables placed = joined(mpirun, {{"MASTER_PORT", "1234"}});
  EXPECT_EQ(ranks(placed)->rank, 4);
  EXPECT_EQ(ranks(placed)->address, "127.0.0.1");
  EXPECT_EQ(ranks(joined(kStep, placed))->world, 6);
  EXPECT_SAYS(note(joined(kStep, placed)).value_or(""), "OMPI_COMM_WORLD_RANK 4 and OMPI_COMM_WORLD_SIZE 6 apply");
  EXPECT_SAYS(refused(joined(placed, {{"OMPI_COMM_WORLD_LOCAL_SIZE", "3"}})), "MASTER_ADDR: is not set");
  EXPECT_EQ(ranks(joined(placed, {{"OMPI_COMM_WORLD_LOCAL_SIZE", "6"}}))->address, "127.0.0.1");
  EXPECT_FALSE(ranks({{"OMPI_COMM_WORLD_RANK", "0"}, {"OMPI_COMM_WORLD_SIZE", "1"}}));
}

TEST(Launchers, PmiSaysWhichRank) {
  EXPECT_EQ(ranks({{"PMI_RANK", "1"}, {"PMI_SIZE", "2"}, {"MASTER_PORT", "5"}})->rank, 1);
  // srun --mpi=pmi2 repeats the step's own numbers
  const Ranks step = ranks(joined(kStep, {{"PMI_RANK", "0"}, {"PMI_SIZE", "3"}})).value();
  EXPECT_EQ(step.job, "77.1");
  EXPECT_EQ(step.address, "localhost");
  EXPECT_SAYS(refused({{"PMIX_RANK", "3"}}), "PMIX_RANK: is 3, but the number of ranks is not set");
  EXPECT_FALSE(ranks({{"PMIX_RANK", "0"}}));
  EXPECT_FALSE(ranks({{"PMIX_RANK", "0"}, {"SLURM_PROCID", "0"}, {"SLURM_STEP_NUM_TASKS", "1"}}));
}

TEST(MasterAddr, IsOneHost) {
  const auto address = [](const char* text) { return ranks(joined(kByHand, {{"MASTER_ADDR", text}}))->address; };
  EXPECT_EQ(address("::1"), "::1");
  EXPECT_EQ(address("[::1]"), "::1");
  EXPECT_EQ(address("fe80::1%eth0"), "fe80::1%eth0");
  const auto wrong = [](const char* text) { return refused(joined(kByHand, {{"MASTER_ADDR", text}})); };
  EXPECT_SAYS(wrong("n[1-3]"), "MASTER_ADDR: \"n[1-3]\" is a list of nodes. HINT: write the first of them, n1.");
  EXPECT_SAYS(wrong("n1,n2"), "is a list of nodes. HINT: write the first of them, n1.");
  EXPECT_SAYS(wrong("n1:29500"), "is a host and a port. HINT: write the host alone, and the port into MASTER_PORT.");
  EXPECT_SAYS(wrong("[::1]:29500"), "is a host and a port");
  EXPECT_SAYS(wrong("n1 n2"), "has a space");
}

TEST(MasterAddr, IsTheNodeOfRankZero) {
  const auto in_step = [](const Variables& more) { return joined(kStep, more); };
  // rank 0 is on the node of its component, which is not the first node by name
  const Variables components = {{"SLURM_STEP_NODELIST", "n[1-2],localhost"},
                                {"SLURM_JOB_NODELIST_HET_GROUP_0", "localhost"},
                                {"SLURM_JOB_NODELIST_HET_GROUP_1", "n[1-2]"}};
  EXPECT_EQ(ranks(in_step(components))->address, "localhost");
  const Variables packs = {{"SLURM_STEP_NODELIST", "n[1-2],localhost"},
                           {"SLURM_JOB_NODELIST_PACK_GROUP_0", "n9"},  // not in this step
                           {"SLURM_JOB_NODELIST_PACK_GROUP_1", "localhost"}};
  EXPECT_EQ(ranks(in_step(packs))->address, "localhost");
  EXPECT_SAYS(refused(in_step({{"SLURMD_NODENAME", "n3"}})),
              "SLURM_STEP_NODELIST: begins with localhost, but rank 0 is on n3, as with --distribution=arbitrary. "
              "HINT: set MASTER_ADDR=n3 for all ranks.");
  EXPECT_EQ(ranks(in_step({{"SLURMD_NODENAME", "n3"}, {"MASTER_ADDR", "n3"}}))->address, "n3");
  EXPECT_EQ(ranks(in_step({{"SLURM_PROCID", "1"}, {"SLURMD_NODENAME", "n3"}}))->address, "localhost");
  for (const char* bad : {"", "n[", "n]1[", "n[1-", ",", "n[3-1]", "n[x]"})
    EXPECT_SAYS(refused(in_step({{"SLURM_STEP_NODELIST", bad}})), "SLURM_STEP_NODELIST: ");
}

TEST(NodeNames, AreThoseOfSlurmsList) {
  EXPECT_EQ(node_names("n1"), Names{"n1"});
  EXPECT_EQ(node_names("n[3-5,8],m1"), (Names{"n3", "n4", "n5", "n8", "m1"}));
  EXPECT_EQ(node_names("m1,node[007,009-010]"), (Names{"m1", "node007", "node009", "node010"}));
  EXPECT_EQ(node_names("rack[1-2]n[08-09]-ib"), (Names{"rack1n08-ib", "rack1n09-ib", "rack2n08-ib", "rack2n09-ib"}));
  EXPECT_EQ(node_names("n[0-4294967295]", 2), (Names{"n0", "n1"}));
  for (const char* bad : {"(null)", " n1", "n1 n2", "", "n[", "n]", "n[]", "n[1", "n1,", ",n1", "n[1-]", "n[-1]"})
    EXPECT_EQ(node_names(bad), Names{}) << bad;
}

TEST(StepPorts, AreApartFromThoseOfClientsAndFromEachOther) {
  for (const std::int64_t job : {0LL, 1LL, 77LL, 1LL << 30, 4294967295LL}) {
    const auto ports = step_ports(job, 4294967290);
    EXPECT_EQ(std::set(ports.begin(), ports.end()).size(), 8U);
    for (const std::uint16_t port : ports) EXPECT_TRUE(port >= 20000 && port < 32768) << port;
    EXPECT_NE(step_ports(job, 0)[0], step_ports(job, 1)[0]);
    EXPECT_NE(step_ports(job, 0)[0], step_ports(job + 1, 0)[0]);
  }
}

/// csrun_wse sets it this way, for programs that know no other port.
TEST(StepPorts, TheStepsOwnPortSetForAllIsNoChoiceOfTheUsers) {
  const auto all = ranks(kStep)->ports;
  EXPECT_EQ(ranks(joined(kStep, {{"MASTER_PORT", std::to_string(all[0])}}))->ports, all);
}

}  // namespace
}  // namespace weft::ranks::launchers_test
