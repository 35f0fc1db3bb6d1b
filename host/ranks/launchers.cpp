#include "host/ranks/launchers.hpp"

#include <fmt/format.h>

#include <charconv>
#include <vector>

#include "sw/base/refusal.hpp"

namespace weft::ranks {
namespace {

constexpr std::int64_t kMostRanks = 1 << 20, kMostId = UINT32_MAX;
constexpr const char* kRule = "set RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT, which override those of a launcher";

struct Launcher {
  const char* rank;
  const char* world;
  const char* on_this_host;  ///< number of processes on this host; null if the launcher does not set it
};
/// The innermost launcher comes first: mpirun starts its daemons with srun, and the daemons start the processes.
constexpr Launcher kLaunchers[] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE"},
                                   {"PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS"},
                                   {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", nullptr}};
constexpr const Launcher& kSlurm = kLaunchers[2];

std::optional<RankClaim> claim_of(const Environment& environment, const Launcher& launcher) {
  const char *rank = environment(launcher.rank), *world = environment(launcher.world);
  if (rank == nullptr || world == nullptr) return std::nullopt;  // a batch script alone is not a step
  RankClaim claim{.rank_name = launcher.rank, .world_name = launcher.world};
  claim.world = static_cast<int>(variable_number(launcher.world, world, 1, kMostRanks, kRule));
  claim.rank = static_cast<int>(variable_number(launcher.rank, rank, 0, claim.world - 1, kRule));
  return claim;
}

std::optional<RankClaim> sensible_claim_of(const Environment& environment, const Launcher& launcher) {
  try {
    return claim_of(environment, launcher);
  } catch (const Refusal&) {
    return std::nullopt;
  }
}

/// Claim of the first launcher with several processes, or else of one with a single process. Throws Refusal.
std::optional<RankClaim> launchers_claim(const Environment& environment) {
  std::optional<RankClaim> alone;
  for (const Launcher& launcher : kLaunchers) {
    const auto claim = claim_of(environment, launcher);
    if (claim && claim->world > 1) return claim;
    if (claim) alone = claim;
  }
  const char* rank = environment("PMIX_RANK");
  if (!alone && rank != nullptr && variable_number("PMIX_RANK", rank, 0, kMostRanks, kRule) > 0)
    throw Refusal("PMIX_RANK", fmt::format("is {}, but the number of ranks is not set", rank), kRule);
  return alone;
}

/// Checks that WORLD_SIZE without RANK agrees with the launcher.
void check_world(const char* world, const std::optional<RankClaim>& claim) {
  if (claim && claim->world > 1) {
    if (std::to_string(claim->world) == world) return;
    throw Refusal("WORLD_SIZE", fmt::format("is {}, but {} is {}", world, claim->world_name, claim->world),
                  "set RANK, too, if WORLD_SIZE is right; else leave WORLD_SIZE out");
  }
  if (world != std::string_view("1"))
    throw Refusal("RANK", fmt::format("is not set, but WORLD_SIZE is {}", world), kSetAll);
}

}  // namespace

std::int64_t variable_number(const char* name, const std::string& text, std::int64_t least, std::int64_t most,
                             const char* hint) {
  std::int64_t value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error == std::errc() && end == last && value >= least && value <= most) return value;
  throw Refusal(name, fmt::format("\"{}\" is not a number from {} to {}", one_line(text, 80), least, most), hint);
}

std::string needed_variable(const Environment& environment, const char* name, const std::string& because,
                            const char* hint) {
  const char* value = environment(name);
  if (value == nullptr) throw Refusal(name, fmt::format("is not set, but {} is", because), hint);
  if (*value == '\0') throw Refusal(name, "is empty", hint);
  return value;
}

bool has_variable(const Environment& environment, const char* name) {
  const char* value = environment(name);
  return value != nullptr && *value != '\0';
}

std::optional<RankClaim> effective_claim(const Environment& environment) {
  const char *rank = environment("RANK"), *world = environment("WORLD_SIZE");
  if (rank == nullptr) {
    const auto claim = launchers_claim(environment);
    if (has_variable(environment, "WORLD_SIZE")) check_world(world, claim);
    return claim;
  }
  if (world == nullptr) {
    for (const Launcher& launcher : kLaunchers) {
      auto claim = sensible_claim_of(environment, launcher);
      if (claim && claim->world > 1 && std::to_string(claim->rank) == rank) return claim;
    }
  }
  RankClaim claim{.rank_name = "RANK", .world_name = "WORLD_SIZE"};
  const std::string needed = needed_variable(environment, "WORLD_SIZE", "RANK");
  claim.world = static_cast<int>(variable_number("WORLD_SIZE", needed, 1, kMostRanks));
  claim.rank = static_cast<int>(variable_number("RANK", rank, 0, claim.world - 1));
  return claim;
}

std::optional<SlurmStep> slurm_step(const Environment& environment, bool strictly) {
  if (!strictly && (!has_variable(environment, "SLURM_JOB_ID") || !has_variable(environment, "SLURM_STEP_ID")))
    return std::nullopt;
  try {
    const auto number = [&](const char* name) {
      return variable_number(name, needed_variable(environment, name, kSlurm.rank, kRule), 0, kMostId, kRule);
    };
    SlurmStep step{.job = number("SLURM_JOB_ID"), .id = number("SLURM_STEP_ID")};
    step.claim = strictly ? claim_of(environment, kSlurm) : sensible_claim_of(environment, kSlurm);
    return step;
  } catch (const Refusal&) {
    if (strictly) throw;
    return std::nullopt;
  }
}

bool on_several_hosts(const Environment& environment, const RankClaim& claim) {
  for (const Launcher& launcher : kLaunchers) {
    const char* here = launcher.on_this_host == nullptr ? nullptr : environment(launcher.on_this_host);
    if (claim.rank_name == std::string_view(launcher.rank) && here != nullptr)
      return here != std::to_string(claim.world);
  }
  return false;
}

std::optional<std::string> note_launchers(const Environment& environment) {
  const auto claim = effective_claim(environment);
  if (!claim) return std::nullopt;
  std::string others;
  for (const Launcher& launcher : kLaunchers) {
    const auto other = sensible_claim_of(environment, launcher);
    if (!other || other->world == 1 || other->same_as(*claim)) continue;
    others += fmt::format("{}{} is {} and {} {}", others.empty() ? "" : ", ", other->rank_name, other->rank,
                          other->world_name, other->world);
  }
  if (others.empty()) return std::nullopt;
  return fmt::format("ranks   {} {} and {} {} apply, though {}", claim->rank_name, claim->rank, claim->world_name,
                     claim->world, others);
}

}  // namespace weft::ranks
