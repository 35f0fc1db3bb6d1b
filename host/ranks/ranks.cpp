#include "host/ranks/ranks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "host/ranks/launchers.hpp"
#include "host/ranks/master.hpp"
#include "host/ranks/step_ports.hpp"
#include "sw/base/refusal.hpp"

namespace weft::ranks {
namespace {

constexpr const char* kPlace = "set MASTER_ADDR to rank 0's host and MASTER_PORT to a free port of it, for all ranks";

/// `step`: the Slurm step that comprises the run, or null.
std::string address_of(const Environment& environment, const RankClaim& claim, const SlurmStep* step) {
  if (has_variable(environment, "MASTER_ADDR")) return master_host(environment("MASTER_ADDR"));
  if (step != nullptr && step->claim->same_as(claim)) return node_address(master_node(environment, claim.rank == 0));
  if (environment("MASTER_ADDR") != nullptr || step != nullptr || on_several_hosts(environment, claim))
    return needed_variable(environment, "MASTER_ADDR", claim.rank_name, kPlace);
  return Ranks().address;
}

/// The port and the following ones, because torchrun itself listens on MASTER_PORT.
std::vector<std::uint16_t> from(std::uint16_t port) {
  constexpr int kTries = 8, kLast = 65535;
  std::vector<std::uint16_t> ports(1, port);
  for (int next = port + 1; next <= kLast && next < port + kTries; ++next)
    ports.push_back(static_cast<std::uint16_t>(next));
  return ports;
}

std::vector<std::uint16_t> ports_of(const Environment& environment, const RankClaim& claim, const SlurmStep* step) {
  const bool has = has_variable(environment, "MASTER_PORT");
  if (!has && step != nullptr) return step_ports(step->job, step->id);
  const std::string text = needed_variable(environment, "MASTER_PORT", claim.rank_name, kPlace);
  const auto port = static_cast<std::uint16_t>(variable_number("MASTER_PORT", text, 1, 65535, kPlace));
  if (has_variable(environment, "TORCHELASTIC_RUN_ID")) return from(port);
  if (step == nullptr) return {port};
  // csrun_wse sets MASTER_PORT to the first of the step's ports for other programs, so that value is not the user's
  // choice.
  std::vector<std::uint16_t> all = step_ports(step->job, step->id);
  return std::ranges::find(all, port) == all.end() ? std::vector{port} : all;
}

}  // namespace

std::optional<Ranks> read_ranks(const Environment& environment) {
  const auto claim = effective_claim(environment);
  if (!claim || claim->world == 1) return std::nullopt;
  Ranks ranks{.rank = claim->rank, .world = claim->world};
  const auto step = slurm_step(environment, claim->rank_name == std::string_view("SLURM_PROCID"));
  ranks.in_step = step.has_value();
  if (const char* socket = environment("MUNGE_SOCKET")) ranks.munge_socket = socket;
  // All ranks must derive the same job, so the choice depends only on the number of ranks, which is the same for all.
  const SlurmStep* const whole = step && step->claim && step->claim->world == claim->world ? &*step : nullptr;
  if (whole != nullptr) ranks.job = fmt::format("{}.{}", step->job, step->id);
  ranks.address = address_of(environment, *claim, whole);
  ranks.ports = ports_of(environment, *claim, whole);
  return ranks;
}

}  // namespace weft::ranks
