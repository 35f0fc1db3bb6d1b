/// Values that a run writes in a tile, in sequence for each place. The sequences are equal on every machine, whatever its
/// timing.
///
/// A vector instruction may write a place several times, and not every machine shows each of these values. Only the
/// last one counts, and only if it differs from what the place held before the instruction.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>

#include "host/inspect/bisect/event_source.hpp"
#include "sw/machine/state.hpp"

namespace weft::inspect::own {

/// A place in a tile: an element of SRAM, a lane of an accumulator, or the messages of a color that are taken or sent.
struct Place {
  bisect::TileEvent::Kind kind{};
  unsigned index = 0, lane = 0;  ///< as those of bisect::TileEvent

  std::uint32_t key() const { return static_cast<std::uint32_t>(kind) << 28 | index << 8 | lane; }
};

struct Change {
  Place place;
  std::uint32_t value = 0;
  bisect::Cause cause;
  std::uint64_t time = 0;  ///< in the machine's own unit
};

class Changes {
 public:
  using Take = std::function<void(const Change&)>;

  /// `before`: the tile's state before the run; must outlive this object. `take` gets the changes, place by place in
  /// their order.
  Changes(const machine::TileState& before, int lanes, Take take)
      : before_(before), lanes_(static_cast<unsigned>(lanes)), take_(std::move(take)) {}

  /// A write to SRAM or to an accumulator.
  void write(const Change& change);
  void message(const Change& change) { take_(change); }
  /// Call at the end of the run.
  void flush();

 private:
  void settle(const Change& change);
  std::uint32_t& now(const Place& place);

  const machine::TileState& before_;
  const unsigned lanes_;
  const Take take_;
  std::unordered_map<std::uint32_t, Change> pending_;     // by place
  std::unordered_map<std::uint32_t, std::uint32_t> now_;  // values of places that have changed
};

}  // namespace weft::inspect::own
