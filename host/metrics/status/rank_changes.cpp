#include "host/metrics/status/rank_changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "host/config/plural.hpp"
#include "sw/base/refusal.hpp"

namespace weft::metrics {
namespace {

bool is_as_before(const swarmx::RankStatus& before, const swarmx::RankStatus& now) {
  return before.state == now.state && before.since == now.since && before.losses == now.losses &&
         before.node == now.node;
}

std::string at_text(const swarmx::RankStatus& status) {
  if (!status.doing) return "";
  const swarmx::Doing& doing = *status.doing;
  const std::string of = doing.step == 0 ? "a finished step"
                         : doing.train   ? fmt::format("step {}", doing.step)
                                         : "an evaluation";
  return fmt::format(", at micro-batch {} of {} for {:.1f} s", doing.micro_batch, of, status.waited);
}

std::string line_of(const RankLine& line) {
  const swarmx::RankStatus& status = line.status;
  const std::string host = status.host.empty() ? "" : " on " + one_line(status.host);
  const std::string why = status.why.empty() ? "" : ": " + one_line(status.why);
  const std::string losses = status.losses == 0 ? "" : fmt::format(", lost {}", config::plural(status.losses, "time"));
  const std::string bytes =
      fmt::format("{} to the rank, {} from the rank", config::format_bytes(static_cast<double>(status.bytes_to)),
                  config::format_bytes(static_cast<double>(status.bytes_from)));
  const std::string waits = status.waits >= 0.05 ? fmt::format(", {:.1f} s without a task", status.waits) : "";
  return fmt::format("rank {}, {}{}: {}{}; {}, {}{}{}{}", line.rank, status.name, host, name_of(status.state),
                     at_text(status), config::plural(status.done, "micro-batch"),
                     bytes + (status.node.empty() ? "" : ", below " + status.node), waits, losses, why);
}

}  // namespace

std::vector<std::string> rank_changes(std::span<const RankLine> before, std::span<const RankLine> now) {
  std::vector<std::string> lines;
  for (std::size_t n = 0; n < now.size(); ++n) {
    if (now[n].status.state == swarmx::RankStatus::State::NotYet) continue;
    if (n < before.size() && is_as_before(before[n].status, now[n].status)) continue;
    lines.push_back(line_of(now[n]));
  }
  return lines;
}

}  // namespace weft::metrics
