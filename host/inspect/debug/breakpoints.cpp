#include "host/inspect/debug/breakpoints.hpp"

#include <fmt/format.h>

#include "verif/trace/filter.hpp"

namespace weft::debug {
namespace {

/// Describes the event in the tile that triggers the breakpoint; empty if there is none.
std::string happened(const Stop& stop, const Live& target, TilePlace tile, std::uint8_t flags_before) {
  switch (stop.kind) {
    case Stop::Kind::Instruction:
      for (const bool psum : {false, true})
        if (target.arrives(tile, psum) == stop.pc)
          return fmt::format("{} is at {}", psum ? "psum" : "main",
                             InstructionNames(target.plan().program).at(stop.pc));
      return "";
    case Stop::Kind::Message:
      return target.passes(tile, stop.color);
    case Stop::Kind::Write:
      return target.writes(tile, stop.first, stop.last);
    case Stop::Kind::Flag:
      if (const unsigned set = target.flags(tile) & ~unsigned{flags_before}; set != 0)
        return "sets " + words_of(WordsMode::Flags, fmt::format("{:x}", set), {}, false);
      return "";
    case Stop::Kind::Phase:
      return "";
  }
  return "";
}

}  // namespace

std::size_t Stops::add(Stop stop) {
  stops_.emplace_back(std::move(stop));
  return stops_.size() - 1;
}

bool Stops::remove(std::size_t number) {
  if (number >= stops_.size() || !stops_[number]) return false;
  stops_[number].reset();
  return true;
}

void Stops::forget(const Live& target) {
  flags_.clear();
  for (int r = 0; r < target.plan().wafer.rows; ++r)
    for (int c = 0; c < target.plan().wafer.cols; ++c) flags_.push_back(target.flags({r, c}));
}

std::optional<Hit> Stops::look(const Live& target) {
  const auto before = [&](TilePlace tile) -> std::uint8_t& {
    return flags_.at(static_cast<std::size_t>(tile.row * target.plan().wafer.cols + tile.col));
  };
  std::optional<Hit> hit;
  for (std::size_t n = 0; n < stops_.size() && !hit; ++n) {
    if (!stops_[n]) continue;
    for (const TilePlace tile : target.touched()) {
      if (stops_[n]->tile && !(*stops_[n]->tile == tile)) continue;
      std::string what = happened(*stops_[n], target, tile, before(tile));
      if (what.empty()) continue;
      hit = Hit{.stop = n, .tile = tile, .what = std::move(what)};
      break;
    }
  }
  for (const TilePlace tile : target.touched()) before(tile) = target.flags(tile);
  return hit;
}

}  // namespace weft::debug
