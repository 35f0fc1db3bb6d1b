#include "host/ranks/joining.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <utility>

#include "host/config/plural.hpp"
#include "host/planning/saved_plan.hpp"
#include "host/swarmx/auth/hello.hpp"
#include "host/swarmx/members/member.hpp"
#include "host/swarmx/members/reject_members.hpp"

namespace weft::ranks {
namespace {

/// Numeric address at which the root listens.
std::string numeric_address_of(const Ranks& ranks) {
  boost::asio::io_context io;
  boost::system::error_code error;
  const std::string port = std::to_string(ranks.ports.front());
  const auto places = boost::asio::ip::tcp::resolver(io).resolve(ranks.address, port, error);
  if (!error && !places.empty()) return places.begin()->endpoint().address().to_string();
  throw Refusal("MASTER_ADDR", ranks.address + " cannot be resolved: " + error.message(),
                "set MASTER_ADDR to the address of rank 0's host as a number, for all ranks");
}

std::shared_ptr<const swarmx::Credentials> credentials_of(const config::Config& config, const Ranks& ranks) {
  if (!config.swarmx_key_file.empty()) return swarmx::key_credentials(config.swarmx_key_file);
  if (ranks.in_step) return swarmx::munge_credentials(ranks.munge_socket);
  throw config.error("swarmx.key_file", "missing: the processes of a run authenticate by a key",
                     "make one with `umask 077; openssl rand -hex 32 > run.key`, and give all ranks "
                     "--swarmx.key_file run.key");
}

/// Identity of the run, truncated to the length limit of a hello. Includes the silence: a rank that sends Alive less
/// often than the others expect it would be lost again after each join.
std::string job_of(const config::Config& config, const Ranks& ranks) {
  const std::string run = !ranks.job.empty() ? "slurm " + ranks.job : config.runconfig.model_dir;
  const std::chrono::duration<double> silence = config.swarm_silence();
  const std::string all = fmt::format("{}, silence {:g} s,", run, silence.count());
  return all.size() <= swarmx::kMostText ? all : all.substr(all.size() - swarmx::kMostText);
}

bool supports_ranks(const std::string& mode) { return mode == "train" || mode == "train_and_eval" || mode == "eval"; }

/// Rejects features of MemoryX that need a single process.
void check_memory_ranks(const config::Config& config) {
  if (config.memoryx_ranks == 0) return;
  const auto refuse = [&](const char* why, const char* instead) {
    throw config.error("memoryx.ranks", fmt::format("{} ranks, but {}", config.memoryx_ranks, why), instead);
  };
  if (config.runconfig.mode == "eval") refuse("an evaluation alone changes no weights", "leave it out of --mode eval");
  if (config.memoryx_dram_gib > 0)
    refuse("memoryx.dram_gib is set, and each rank keeps its tensors in DRAM",
           "leave memoryx.dram_gib out; more ranks have more DRAM");
  if (config.sparsity.is_dynamic())
    refuse("dynamic sparsity (sparsity.algorithm) needs all weights in one process", "use one of them, not both");
}

}  // namespace

void reject_ranks(const config::Config& config, const Joining& joining) {
  const swarmx::Hello here{.version = swarmx::kSwarmVersion,
                           .plan = joining.digest,
                           .job = joining.job,
                           .build = joining.build,
                           .role = "",
                           .name = ""};
  const auto others =
      static_cast<std::size_t>(config.runconfig.num_csx + joining.memory + joining.nodes + (joining.data ? 1 : 0));
  const swarmx::ListenerOptions place{
      .address = joining.address, .port = joining.ports.front(), .other_ports = joining.other_ports()};
  swarmx::reject_members(joining.credentials, here, place, others,
                         std::min(config.swarm_timeout(), std::chrono::milliseconds(10000)));
}

std::optional<std::string> note_single_process(const config::Config& config, bool ranked) {
  const std::string& mode = config.runconfig.mode;
  const int memory = config.memoryx_ranks, nodes = config.swarmx_nodes;
  if (memory + nodes == 0 || !supports_ranks(mode)) return std::nullopt;
  if (ranked) {
    const bool parts = memory > 0;
    throw config.error(parts ? "memoryx.ranks" : "swarmx.nodes",
                       fmt::format("{}, but WORLD_SIZE is 1: there is only the root", parts ? memory : nodes),
                       fmt::format("start {} ranks or more, or leave RANK out: then one process does all, with the "
                                   "same bits",
                                   memory + nodes + 2));
  }
  std::string asked = memory > 0 ? fmt::format("memoryx.ranks {}", memory) : "";
  if (nodes > 0) asked += fmt::format("{}swarmx.nodes {}", asked.empty() ? "" : " and ", nodes);
  return fmt::format("ranks   only this process: {} {} not apply here, and the bits are the same", asked,
                     memory > 0 && nodes > 0 ? "do" : "does");
}

std::shared_ptr<const Joining> join_ranks(config::Config& config, const Ranks& ranks, std::string build) {
  const std::string& mode = config.runconfig.mode;
  if (!supports_ranks(mode))
    throw config.error("runconfig.mode", mode + " needs a single process",
                       "start one, without RANK, WORLD_SIZE and srun");
  const bool set = config.places.contains("runconfig.num_csx");
  check_memory_ranks(config);
  const int memory = config.memoryx_ranks, nodes = config.swarmx_nodes, others = ranks.world - 1 - memory - nodes;
  if (others < 1) {
    const bool parts = memory >= ranks.world - 1;
    throw config.error(parts ? "memoryx.ranks" : "swarmx.nodes",
                       fmt::format("{}, but in addition to the root{} there are {}", parts ? memory : nodes,
                                   parts || memory == 0 ? "" : fmt::format(" and {} of MemoryX", memory),
                                   config::plural(ranks.world - 1 - (parts ? 0 : memory), "rank")),
                       "start more ranks: the root, those of MemoryX, the nodes and at least one wafer");
  }
  const int wafers = set ? config.runconfig.num_csx : others;
  if (wafers != others && wafers + 1 != others) {
    std::string peers = "the root";
    if (memory > 0) peers += fmt::format(" and {} of MemoryX", memory);
    if (nodes > 0) peers += fmt::format(" and {}", config::plural(nodes, "node"));
    throw config.error(
        "runconfig.num_csx",
        fmt::format("{}, but in addition to {} there are {}", wafers, peers, config::plural(others, "rank")),
        fmt::format("start {} ranks, or {} with one that reads the data, or leave num_csx out",
                    wafers + memory + nodes + 1, wafers + memory + nodes + 2));
  }
  config.runconfig.num_csx = wafers;
  if (mode == "eval" && wafers < others)
    throw config.error(
        "runconfig.num_csx",
        fmt::format("{}, which leaves a rank to read the data, but an evaluation alone does not use that rank", wafers),
        fmt::format("start {} ranks with --mode eval", ranks.world - 1));
  if (config.swarmx_min_csx > wafers)
    throw config.error("swarmx.min_csx",
                       fmt::format("{} of {}", config.swarmx_min_csx, config::plural(wafers, "wafer")), "use fewer");
  if (config.memoryx_eager_update)
    throw config.error("memoryx.eager_update", "the micro-batches of a lost wafer are repeated with the old weights",
                       "leave it out where wafers are processes of their own");
  return std::make_shared<const Joining>(Joining{.address = ranks.root() ? numeric_address_of(ranks) : ranks.address,
                                                 .ports = ranks.ports,
                                                 .job = job_of(config, ranks),
                                                 .build = std::move(build),
                                                 .digest = planning::settings_digest(config),
                                                 .credentials = credentials_of(config, ranks),
                                                 .data = wafers < others,
                                                 .memory = memory,
                                                 .nodes = nodes});
}

}  // namespace weft::ranks
