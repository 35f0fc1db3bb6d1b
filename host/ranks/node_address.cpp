#include "host/ranks/node_address.hpp"

#include <netdb.h>

#include <array>
#include <cstdio>
#include <memory>
#include <string_view>

namespace weft::ranks {
namespace {

bool resolves(const std::string& name) {
  addrinfo* found = nullptr;
  if (::getaddrinfo(name.c_str(), nullptr, nullptr, &found) != 0) return false;
  ::freeaddrinfo(found);
  return true;
}

/// Output of a command; empty if the command does not exist.
std::string printed(const std::string& command) {
  const auto close = [](FILE* file) { ::pclose(file); };
  const std::unique_ptr<FILE, decltype(close)> out(::popen((command + " 2>/dev/null").c_str(), "r"), close);
  std::string text;
  std::array<char, 256> some{};
  while (out && std::fgets(some.data(), some.size(), out.get()) != nullptr) text += some.data();
  return text;
}

}  // namespace

std::string node_address(const std::string& name) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
  if (name.empty() || name[0] == '-' || name.find_first_not_of(kLetters) != std::string::npos) return name;
  if (resolves(name)) return name;
  const std::string node = printed("scontrol show node " + name + " -o");
  constexpr std::string_view kKey = " NodeAddr=";
  const std::size_t at = node.find(kKey);
  if (at == std::string::npos) return name;
  const std::string rest = node.substr(at + kKey.size());
  return rest.substr(0, rest.find_first_of(" \n"));
}

}  // namespace weft::ranks
