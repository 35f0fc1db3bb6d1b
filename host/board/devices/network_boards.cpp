#include "host/board/devices/network_boards.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <sstream>

namespace weft::board {
namespace {

constexpr std::string_view kMacOfBoards = "02:57:45:46:54:";

/// Parses an address of /proc/net/route in the byte order of inet_pton: the first byte is the lowest.
std::uint32_t hexadecimal(const std::string& text) {
  std::uint32_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number, 16);
  return number;
}

}  // namespace

bool in_our_networks(const std::string& address, const SystemFolders& system) {
  std::uint32_t wanted = 0;
  if (::inet_pton(AF_INET, address.c_str(), &wanted) != 1) return false;
  std::ifstream routes(system.proc() / "net/route");
  std::string line;
  std::getline(routes, line);  // column titles
  while (std::getline(routes, line)) {
    std::istringstream words(line);
    std::string card, destination, gateway, flags, references, use, metric, mask;
    if (!(words >> card >> destination >> gateway >> flags >> references >> use >> metric >> mask)) continue;
    if (hexadecimal(gateway) != 0 || hexadecimal(mask) == 0) continue;  // behind a gateway
    if ((wanted & hexadecimal(mask)) == hexadecimal(destination)) return true;
  }
  return false;
}

std::vector<std::string> possible_addresses(const SystemFolders& system, std::vector<std::string> known) {
  std::vector<std::string> found;
  std::ifstream arp_table(system.proc() / "net/arp");
  std::string line;
  while (std::getline(arp_table, line)) {
    std::istringstream words(line);
    std::string address, type, flags, mac;
    if (words >> address >> type >> flags >> mac && mac.starts_with(kMacOfBoards)) found.push_back(address);
  }
  known.emplace_back(kUsualAddress);
  for (const std::string& address : known)
    if (std::ranges::find(found, address) == found.end() && in_our_networks(address, system)) found.push_back(address);
  return found;
}

}  // namespace weft::board
