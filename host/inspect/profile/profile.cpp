#include "host/inspect/profile/profile.hpp"

#include <algorithm>
#include <cctype>

namespace weft::inspect::profile {

void Sum::add(const Phase& phase) {
  ++phases;
  issued.resize(phase.tiles.size());
  cycles.resize(phase.tiles.size());
  for (std::size_t tile = 0; tile < phase.tiles.size(); ++tile) {
    const sim::StallRecord& r = phase.tiles[tile];
    tile_cycles += r.cycles();
    cycles[tile] += r.cycles();
    for (std::size_t t = 0; t < sim::kThreads; ++t) {
      issued[tile] += r.count(static_cast<int>(t), isa::StallReason::Issued);
      for (std::size_t c = 0; c < sim::kStallReasons; ++c) counts[t][c] += r.counts[t][c];
    }
  }
  multiply_adds += phase.multiply_adds;
  const auto fullest = [](const std::vector<Traffic>& all, std::uint64_t& sum) {
    std::uint64_t most = 0;
    for (const Traffic& one : all) {
      sum += one.messages;
      most = std::max(most, one.messages);
    }
    return most;
  };
  valve += fullest(phase.valves, sent);
  outlet += fullest(phase.outlets, returned);
}

double Sum::part(int thread, isa::StallReason reason) const {
  const auto count = counts[static_cast<std::size_t>(thread)][static_cast<std::size_t>(reason)];
  return tile_cycles ? static_cast<double>(count) / static_cast<double>(tile_cycles) : 0;
}

double Sum::busy(std::size_t tile) const {
  return cycles[tile] ? static_cast<double>(issued[tile]) / static_cast<double>(cycles[tile]) : 0;
}

double Sum::busiest() const {
  double most = 0;
  for (std::size_t tile = 0; tile < cycles.size(); ++tile) most = std::max(most, busy(tile));
  return most;
}

std::string of_all_layers(const std::string& name) {
  for (std::size_t at = name.find("h."); at != std::string::npos; at = name.find("h.", at + 1)) {
    if (at > 0 && std::isalnum(static_cast<unsigned char>(name[at - 1]))) continue;
    std::size_t end = at + 2;
    while (end < name.size() && std::isdigit(static_cast<unsigned char>(name[end]))) ++end;
    if (end > at + 2) return name.substr(0, at + 2) + "*" + name.substr(end);
  }
  return name;
}

std::vector<Sum> by_kind(const Profile& profile) {
  std::vector<Sum> sums;
  for (const Phase& phase : profile.phases) {
    const std::string name = profile.each_layer ? phase.name : of_all_layers(phase.name);
    auto at = std::ranges::find(sums, name, &Sum::name);
    if (at == sums.end()) {
      sums.emplace_back().name = name;
      at = sums.end() - 1;
    }
    at->add(phase);
  }
  return sums;
}

Sum total(const Profile& profile) {
  Sum sum;
  sum.name = "total";
  for (const Phase& phase : profile.phases) sum.add(phase);
  return sum;
}

}  // namespace weft::inspect::profile
