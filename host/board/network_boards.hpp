/// Addresses at which a board may be, by this machine's tables of neighbours and routes; nothing is sent.
#pragma once

#include <string>
#include <vector>

#include "host/board/system_folders.hpp"

namespace weft::board {

/// The address of a board's bitstream if nothing else is asked for (`ip` in fpga/boards/ecpix5/board).
inline constexpr const char* kUsualAddress = "192.168.1.50";

/// IPv4 addresses: neighbours whose MAC begins as boards' do (02:57:45:46:54), and the usual address and those of
/// `known` where this machine is in their network. Each once.
std::vector<std::string> possible_addresses(const SystemFolders& system, std::vector<std::string> known = {});

/// True if a network card of this machine is in the network of `address`.
bool in_our_networks(const std::string& address, const SystemFolders& system);

}  // namespace weft::board
