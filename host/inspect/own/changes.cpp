#include "host/inspect/own/changes.hpp"

namespace weft::inspect::own {

using Kind = bisect::TileEvent::Kind;

std::uint32_t& Changes::now(const Place& place) {
  const auto [at, fresh] = now_.try_emplace(place.key());
  if (fresh)
    at->second = place.kind == Kind::Memory ? before_.memory.at(place.index)
                                            : before_.accumulators.at(place.index * lanes_ + place.lane);
  return at->second;
}

void Changes::settle(const Change& change) {
  std::uint32_t& held = now(change.place);
  if (held == change.value) return;
  held = change.value;
  take_(change);
}

void Changes::write(const Change& change) {
  const auto [at, fresh] = pending_.try_emplace(change.place.key(), change);
  if (fresh) return;
  if (!(at->second.cause == change.cause)) settle(at->second);
  at->second = change;
}

void Changes::flush() {
  for (const auto& [key, change] : pending_) settle(change);
  pending_.clear();
}

}  // namespace weft::inspect::own
