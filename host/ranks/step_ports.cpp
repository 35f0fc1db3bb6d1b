#include "host/ranks/step_ports.hpp"

#include <algorithm>
#include <fstream>

namespace weft::ranks {
namespace {

constexpr int kAttempts = 8;

std::int64_t port_of(std::int64_t job, std::int64_t step, std::int64_t attempt) {
  return
#include "scripts/csrun/step_port"
      ;
}

}  // namespace

std::vector<std::uint16_t> step_ports(std::int64_t job, std::int64_t step) {
  std::vector<std::uint16_t> ports;
  for (int attempt = 0; attempt < kAttempts; ++attempt)
    ports.push_back(static_cast<std::uint16_t>(port_of(job, step, attempt)));
  int first = 0, last = 0;
  if (std::ifstream("/proc/sys/net/ipv4/ip_local_port_range") >> first >> last)
    std::ranges::stable_partition(ports, [&](std::uint16_t port) { return port < first || port > last; });
  return ports;
}

}  // namespace weft::ranks
