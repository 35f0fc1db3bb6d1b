#include "host/config/command_line/cs_ip.hpp"

#include <fmt/format.h>

namespace weft::config {
namespace {

const Place kCommandLine{"command line", 0};

std::string device_at(const std::string& address) {
  const bool is_device = address.starts_with('/') || address.starts_with("udp:") || address.starts_with("emulated");
  return is_device ? address : "udp:" + address;
}

}  // namespace

Refusal no_address() {
  return kCommandLine.error("--cs_ip", "has no address",
                            "name a board's, ADDRESS or ADDRESS:PORT; without the flag wafers are simulated here");
}

void use_board_at(const std::string& address, std::vector<Override>& overrides) {
  std::string devices;
  for (std::size_t at = 0, end = 0; end != std::string::npos; at = end + 1) {
    end = address.find(',', at);
    const std::string one = address.substr(at, end - at);
    if (one.empty()) throw no_address();
    devices += fmt::format("{}\"{}\"", devices.empty() ? "" : ", ", device_at(one));
  }
  bool chosen = false;
  for (const Override& other : overrides) {
    if (other.key == "fpga.device")
      throw kCommandLine.error("--cs_ip", "fpga.device is also given", "leave one of them out");
    if (other.key != "wafer.backend") continue;
    chosen = true;
    if (other.value.find("fpga") == std::string::npos)
      throw kCommandLine.error("--cs_ip",
                               fmt::format("is a board's address, but --backend {} simulates wafers", other.value),
                               "leave one of them out");
  }
  if (!chosen) overrides.push_back({"wafer.backend", "fpga"});
  overrides.push_back({"fpga.device", "[" + devices + "]"});
}

}  // namespace weft::config
