#include "host/inspect/profile/bound.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace weft::inspect::profile {
namespace {

using isa::StallReason;

constexpr double kBusy = 0.9, kMostly = 0.7;

std::string percent(double part) { return fmt::format("{:.0f} %", 100 * part); }

struct Wait {
  StallReason reason;
  double part;
};

/// The most frequent of these stall reasons of a thread.
Wait most(const Sum& sum, int thread, std::initializer_list<StallReason> reasons) {
  Wait result{*reasons.begin(), -1};
  for (const StallReason reason : reasons)
    if (const double part = sum.part(thread, reason); part > result.part) result = {reason, part};
  return result;
}

std::string words(StallReason reason) {
  switch (reason) {
    case StallReason::Other:
      return "vector unit: main waits while psum uses the unit";
    case StallReason::Scalar:
      return "scalar code";
    case StallReason::Weight:
      return "weights: main waits for the stream";
    case StallReason::Psum:
      return "partial sums: a link brings 1 word a cycle";
    case StallReason::Credit:
      return "links: the out queue is full, 1 word a cycle leaves";
    case StallReason::Handoff:
      return "handoff between the threads";
    case StallReason::Memory:
      return "memory: ld waits for its word";
    case StallReason::Hazard:
      return "latency: a beat needs the one before";
    case StallReason::Table:
      return "table units: 2 lanes a cycle";
    case StallReason::Command:
      return "commands: tiles rest";
    case StallReason::Join:
      return "join: main waits for psum";
    default:
      return std::string(isa::kStallNames[static_cast<std::size_t>(reason)]);
  }
}

/// The phases in which a stall reason costs most cycles: up to three kinds.
std::string places(const std::vector<Sum>& kinds, StallReason reason, double tiles) {
  const auto count = [reason](const Sum& s) { return s.counts[0][static_cast<std::size_t>(reason)]; };
  std::vector<const Sum*> order;
  for (const Sum& s : kinds) order.push_back(&s);
  std::ranges::stable_sort(order, std::greater{}, [&](const Sum* s) { return count(*s); });
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(3, order.size()) && count(*order[i]) > 0; ++i)
    text += fmt::format("{}{} {:.0f}", i ? ", " : "", order[i]->name, static_cast<double>(count(*order[i])) / tiles);
  return text;
}

}  // namespace

std::string bound(const Sum& sum) {
  const double cycles = sum.mean();
  if (cycles <= 0) return "nothing";
  const double valve = std::min(1.0, static_cast<double>(sum.valve) / cycles);
  const double outlet = std::min(1.0, static_cast<double>(sum.outlet) / cycles);
  const double vector = sum.part(0, StallReason::Issued) + sum.part(1, StallReason::Issued), busiest = sum.busiest();
  if (std::max({vector, valve, outlet}) < kBusy && busiest < kBusy) {
    const Wait main =
        most(sum, 0,
             {StallReason::Weight, StallReason::Hazard, StallReason::Handoff, StallReason::Join, StallReason::Scalar,
              StallReason::Table, StallReason::Command, StallReason::Other, StallReason::Memory});
    if (vector > kMostly)
      return fmt::format("vector unit {} busy; main waits {}: {}", percent(vector), percent(main.part),
                         isa::kStallNames[static_cast<std::size_t>(main.reason)]);
    if (main.reason == StallReason::Weight)
      return fmt::format("weights: main waits {}, the valve is busy {}", percent(main.part), percent(valve));
    if (main.reason != StallReason::Handoff && main.reason != StallReason::Join)
      return fmt::format("{}, {}", words(main.reason), percent(main.part));
    const Wait psum = most(sum, 1,
                           {StallReason::Psum, StallReason::Credit, StallReason::Scalar, StallReason::Hazard,
                            StallReason::Table, StallReason::Memory});
    if (sum.part(1, StallReason::Issued) > psum.part)
      return fmt::format("vector unit: main waits {} for psum's beats", percent(main.part));
    return fmt::format("{}, {} (main waits {})", words(psum.reason), percent(psum.part), percent(main.part));
  }
  if (valve >= std::max(vector, outlet))
    return fmt::format("weights: the valve delivers 1 a cycle and is busy {}", percent(valve));
  if (outlet > vector) return fmt::format("returns: an outlet takes 1 word a cycle and is busy {}", percent(outlet));
  return fmt::format("vector unit {} busy, {} in the busiest tile", percent(vector), percent(busiest));
}

std::vector<Loss> losses(const Profile& profile) {
  const Sum all = total(profile);
  const std::vector<Sum> kinds = by_kind(profile);
  const auto tiles = static_cast<double>(profile.tiles());
  std::vector<Loss> list;
  for (std::size_t c = 0; c < sim::kStallReasons; ++c) {
    const auto reason = static_cast<StallReason>(c);
    const double cycles = static_cast<double>(all.counts[0][c]) / tiles;
    if (reason == StallReason::Issued || cycles == 0) continue;
    list.push_back({reason, cycles, all.part(0, reason),
                    fmt::format("{}; most in {}", words(reason), places(kinds, reason, tiles))});
  }
  std::ranges::stable_sort(list, std::greater{}, &Loss::cycles);
  return list;
}

}  // namespace weft::inspect::profile
