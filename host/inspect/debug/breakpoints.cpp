#include "host/inspect/debug/breakpoints.hpp"

#include <fmt/format.h>

#include "verif/trace/filter.hpp"

namespace weft::inspect::debug {
namespace {

/// Describes the event in the tile that triggers the breakpoint; empty if there is none.
std::string happened(const Breakpoint& stop, const LiveTarget& target, sim::TilePlace tile, std::uint8_t flags_before) {
  switch (stop.kind) {
    case Breakpoint::Kind::Instruction:
      if (&target.names(tile).program != stop.program) return "";
      for (const bool psum : {false, true})
        if (target.arrives(tile, psum) == stop.pc)
          return fmt::format("{} is at {}", psum ? "psum" : "main", trace::InstructionNames(*stop.program).at(stop.pc));
      return "";
    case Breakpoint::Kind::Message:
      return target.passes(tile, stop.color);
    case Breakpoint::Kind::Write:
      return target.writes(tile, stop.first, stop.last);
    case Breakpoint::Kind::Flag:
      if (const unsigned set = target.flags(tile) & ~unsigned{flags_before}; set != 0)
        return "sets " + trace::words_of(trace::WordsMode::Flags, fmt::format("{:x}", set), {}, false);
      return "";
    case Breakpoint::Kind::Phase:
      return "";
  }
  return "";
}

}  // namespace

std::size_t Breakpoints::add(Breakpoint stop) {
  breakpoints_.emplace_back(std::move(stop));
  return breakpoints_.size() - 1;
}

bool Breakpoints::remove(std::size_t number) {
  if (number >= breakpoints_.size() || !breakpoints_[number]) return false;
  breakpoints_[number].reset();
  return true;
}

void Breakpoints::forget(const LiveTarget& target) {
  flags_.clear();
  for (int r = 0; r < target.shape().rows; ++r)
    for (int c = 0; c < target.shape().cols; ++c) flags_.push_back(target.flags({r, c}));
}

std::optional<Hit> Breakpoints::check(const LiveTarget& target) {
  const auto before = [&](sim::TilePlace tile) -> std::uint8_t& {
    return flags_.at(static_cast<std::size_t>(tile.row * target.shape().cols + tile.col));
  };
  std::optional<Hit> hit;
  for (std::size_t n = 0; n < breakpoints_.size() && !hit; ++n) {
    if (!breakpoints_[n]) continue;
    for (const sim::TilePlace tile : target.touched_tiles()) {
      if (breakpoints_[n]->tile && !(*breakpoints_[n]->tile == tile)) continue;
      std::string what = happened(*breakpoints_[n], target, tile, before(tile));
      if (what.empty()) continue;
      hit = Hit{.stop = n, .tile = tile, .what = std::move(what)};
      break;
    }
  }
  for (const sim::TilePlace tile : target.touched_tiles()) before(tile) = target.flags(tile);
  return hit;
}

}  // namespace weft::inspect::debug
