#include "host/swarmx/protocol/slow_part.hpp"

#include <fmt/format.h>

namespace weft::swarmx {
namespace {

constexpr std::uint32_t kHalf = 500;     // thousandths
constexpr std::uint32_t kSilent = 2000;  // milliseconds; a member reports more than once a second

}  // namespace

std::string slow_part(const Load& load, std::optional<double> busy, double pace, double usual) {
  const std::string times = fmt::format("a micro-batch takes {:.2g} s, others take {:.2g} s", pace, usual);
  if (!load.known) return times;
  if (load.silence > kSilent)
    return fmt::format("its process has sent nothing for {:.1f} s; {}", load.silence / 1000.0, times);
  if (load.ran < kHalf) return fmt::format("its process runs {:.0f} % of the time; {}", load.ran / 10.0, times);
  if (!busy) return times;
  if (*busy >= 0.5) return fmt::format("its compute is busy {:.0f} % of its time; {}", 100 * *busy, times);
  return fmt::format("its link keeps it waiting {:.0f} % of its time; {}", 100 - 100 * *busy, times);
}

std::string disconnect_text(const RankStatus& status) {
  return fmt::format(
      "on {}, it stays slow: {}. It is disconnected, and held back when it joins again. HINT: check its machine "
      "and its network.",
      status.host, status.why);
}

}  // namespace weft::swarmx
