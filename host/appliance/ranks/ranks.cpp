#include "host/appliance/ranks/ranks.hpp"

#include <fmt/format.h>

#include <charconv>
#include <string_view>

#include "host/appliance/ranks/first_node.hpp"
#include "sw/base/refusal.hpp"

namespace weft {
namespace {

constexpr int kFirstPort = 20000, kPorts = 20000;  // of a Slurm step: the step's own, so that two do not meet

constexpr const char* kAll = "set RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT, or none of them";

int number(const char* name, const char* text, int least, int most) {
  int value = 0;
  const std::string_view all(text);
  const auto [end, error] = std::from_chars(all.data(), all.data() + all.size(), value);
  if (error == std::errc() && end == all.data() + all.size() && value >= least && value <= most) return value;
  throw Refusal(name, fmt::format("\"{}\" is no number from {} to {}", text, least, most), kAll);
}

const char* needed(const Environment& environment, const char* name, const char* because) {
  const char* value = environment(name);
  if (value != nullptr && *value == '\0') throw Refusal(name, "is empty", kAll);
  if (value != nullptr) return value;
  throw Refusal(name, fmt::format("is not set, but {} is", because), kAll);
}

/// Without RANK there is one process. One that is said to be of several would do all that they do, beside them.
void check_alone(const char* world) {
  if (world == nullptr || std::string_view(world) == "1" || *world == '\0') return;
  throw Refusal("RANK", fmt::format("is not set, but WORLD_SIZE is {}", world), kAll);
}

/// What srun says of the step.
std::optional<Ranks> of_slurm(const Environment& environment) {
  const char* rank = environment("SLURM_PROCID");
  const char* tasks = environment("SLURM_STEP_NUM_TASKS");  // a batch script alone is no step
  if (rank == nullptr || tasks == nullptr || std::string_view(tasks) == "1") return std::nullopt;
  Ranks ranks;
  ranks.world = number("SLURM_STEP_NUM_TASKS", tasks, 2, 1 << 20);
  ranks.rank = number("SLURM_PROCID", rank, 0, ranks.world - 1);
  const int job = number("SLURM_JOB_ID", needed(environment, "SLURM_JOB_ID", "SLURM_PROCID"), 0, 1 << 30);
  const int step = number("SLURM_STEP_ID", needed(environment, "SLURM_STEP_ID", "SLURM_PROCID"), 0, 1 << 30);
  ranks.job = fmt::format("{}.{}", job, step);
  if (const char* socket = environment("MUNGE_SOCKET")) ranks.munge_socket = socket;
  const char* address = environment("MASTER_ADDR");
  ranks.address = address != nullptr && *address != '\0'
                      ? address
                      : first_node(needed(environment, "SLURM_STEP_NODELIST", "SLURM_PROCID"));
  const char* port = environment("MASTER_PORT");
  ranks.port = static_cast<std::uint16_t>(port ? number("MASTER_PORT", port, 1, 65535)
                                               : kFirstPort + (job * 61LL + step) % kPorts);
  return ranks;
}

}  // namespace

std::optional<Ranks> ranks_of(const Environment& environment) {
  if (const auto ranks = of_slurm(environment)) return ranks;
  const char* rank = environment("RANK");
  if (rank == nullptr) {
    check_alone(environment("WORLD_SIZE"));
    return std::nullopt;
  }
  Ranks ranks;
  ranks.world = number("WORLD_SIZE", needed(environment, "WORLD_SIZE", "RANK"), 1, 1 << 20);
  ranks.rank = number("RANK", rank, 0, ranks.world - 1);
  if (ranks.world == 1) return std::nullopt;
  if (environment("MASTER_ADDR") != nullptr) ranks.address = needed(environment, "MASTER_ADDR", "RANK");
  ranks.port = static_cast<std::uint16_t>(number("MASTER_PORT", needed(environment, "MASTER_PORT", "RANK"), 1, 65535));
  return ranks;
}

}  // namespace weft
