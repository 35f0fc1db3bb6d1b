/// Finds addresses at which a board may be, from this machine's ARP and routing tables. Sends nothing.
#pragma once

#include <string>
#include <vector>

#include "host/board/devices/system_folders.hpp"

namespace weft::board {

/// Default address in a board's bitstream (`ip` in fpga/boards/ecpix5/board).
inline constexpr const char* kUsualAddress = "192.168.1.50";

/// IPv4 addresses without duplicates: neighbors whose MAC begins with the boards' prefix (02:57:45:46:54), and the
/// default address and those of `known` if this machine is in their network.
std::vector<std::string> possible_addresses(const SystemFolders& system, std::vector<std::string> known = {});

/// True if a network interface of this machine is in the network of `address`.
bool in_our_networks(const std::string& address, const SystemFolders& system);

}  // namespace weft::board
