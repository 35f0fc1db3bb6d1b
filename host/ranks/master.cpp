#include "host/ranks/master.hpp"

#include <fmt/format.h>
#include <netdb.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <string_view>
#include <vector>

#include "host/ranks/node_list.hpp"
#include "sw/base/refusal.hpp"

namespace weft::ranks {
namespace {

constexpr const char* kNodes = "SLURM_STEP_NODELIST";

/// First node of each component of a heterogeneous job, in order; empty if the job has a single component.
std::vector<std::string> first_of_components(const Environment& environment) {
  std::vector<std::string> nodes;
  for (int group = 0;; ++group) {
    const char* list = nullptr;
    for (const char* kind : {"HET", "PACK"}) {  // allocations made by srun itself are called packs
      if (list == nullptr) list = environment(fmt::format("SLURM_JOB_NODELIST_{}_GROUP_{}", kind, group).c_str());
    }
    if (list == nullptr) return nodes;
    for (std::string& name : node_names(list, 1)) nodes.push_back(std::move(name));
  }
}

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

std::string master_host(const std::string& value) {
  const auto refuse = [&](const std::string& problem, const std::string& hint) {
    throw Refusal("MASTER_ADDR", fmt::format("\"{}\" {}", one_line(value, 80), problem), hint);
  };
  const auto colons = std::ranges::count(value, ':');
  if (value.starts_with('[') && value.ends_with(']') && colons > 1) return value.substr(1, value.size() - 2);
  if (value.find_first_of(" \t\n\r") != value.npos) refuse("has a space", "write the name of one host alone");
  if (value.find_first_of("[],") != value.npos && colons == 0) {
    const auto names = node_names(value, 1);
    refuse("is a list of nodes", names.empty() ? "write the first of them" : "write the first of them, " + names[0]);
  }
  if (colons == 1 || value.find(']') != value.npos)
    refuse("is a host and a port", "write the host alone, and the port into MASTER_PORT");
  return value;
}

std::string master_node(const Environment& environment, bool root) {
  const std::string list = needed_variable(environment, kNodes, "SLURM_PROCID", "set MASTER_ADDR to rank 0's host");
  const std::vector<std::string> names = node_names(list);
  if (names.empty())
    throw Refusal(kNodes, fmt::format("\"{}\" is not a list of nodes", one_line(list, 80)),
                  "set MASTER_ADDR to rank 0's host");
  std::string first = names.front();
  const std::vector<std::string> components = first_of_components(environment);
  const auto in_step = std::ranges::find_if(
      components, [&](const std::string& name) { return std::ranges::find(names, name) != names.end(); });
  if (in_step != components.end()) first = *in_step;
  const char* here = environment("SLURMD_NODENAME");
  if (root && here != nullptr && *here != '\0' && here != first)
    throw Refusal(kNodes,
                  fmt::format("begins with {}, but rank 0 is on {}, as with --distribution=arbitrary", first, here),
                  fmt::format("set MASTER_ADDR={} for all ranks", here));
  return first;
}

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
