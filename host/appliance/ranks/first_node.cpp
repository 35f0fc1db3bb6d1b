#include "host/appliance/ranks/first_node.hpp"

#include <netdb.h>

#include <array>
#include <cstdio>
#include <memory>

namespace weft {
namespace {

bool resolves(const std::string& name) {
  addrinfo* found = nullptr;
  if (::getaddrinfo(name.c_str(), nullptr, nullptr, &found) != 0) return false;
  ::freeaddrinfo(found);
  return true;
}

/// What a command prints; empty if there is no such command. `name` is one that Slurm gave.
std::string printed(const std::string& command) {
  const auto close = [](FILE* file) { ::pclose(file); };
  const std::unique_ptr<FILE, decltype(close)> out(::popen((command + " 2>/dev/null").c_str(), "r"), close);
  std::string text;
  std::array<char, 256> some{};
  while (out && std::fgets(some.data(), some.size(), out.get()) != nullptr) text += some.data();
  return text;
}

}  // namespace

std::string first_name(std::string_view list) {
  const std::size_t comma = list.find(','), bracket = list.find('[');
  if (bracket == std::string_view::npos || comma < bracket) return std::string(list.substr(0, comma));
  const std::string_view numbers = list.substr(bracket + 1);
  return std::string(list.substr(0, bracket)) + std::string(numbers.substr(0, numbers.find_first_of(",-]")));
}

std::string first_node(std::string_view list) {
  const std::string name = first_name(list);
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
  if (name.find_first_not_of(kLetters) != std::string::npos || resolves(name)) return name;
  const std::string node = printed("scontrol show node " + name + " -o");
  constexpr std::string_view kKey = " NodeAddr=";
  const std::size_t at = node.find(kKey);
  if (at == std::string::npos) return name;
  const std::string rest = node.substr(at + kKey.size());
  return rest.substr(0, rest.find_first_of(" \n"));
}

}  // namespace weft
