#include "verif/trace/tile_list.hpp"

#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <optional>
#include <utility>

#include "sw/base/refusal.hpp"

namespace weft::trace {
namespace {

constexpr auto kWriteTiles = "write ROW,COLUMN, e.g. 2,1 or 0-3,1, or all";

template <class Number>
std::optional<Number> number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Parses "3" or "0-3", within 0..count-1.
std::pair<int, int> range(std::string_view text, int count, std::string_view what, const std::string& whole) {
  const std::size_t dash = text.find('-');
  const auto first = number<int>(text.substr(0, dash));
  const auto last = dash == std::string_view::npos ? first : number<int>(text.substr(dash + 1));
  if (!first || !last) throw Refusal("--tile", fmt::format("{} is not a tile", whole), kWriteTiles);
  if (*first > *last || *first < 0 || *last >= count) {
    throw Refusal("--tile", fmt::format("{}: {} {} does not exist", whole, what, text),
                  fmt::format("{}s are 0 to {}", what, count - 1));
  }
  return {*first, *last};
}

}  // namespace

std::vector<sim::TilePlace> parse_tiles(const std::string& text, const machine::WaferShape& shape) {
  const bool all = text == "all";
  const std::size_t comma = text.find(',');
  if (!all && comma == std::string::npos) throw Refusal("--tile", fmt::format("{} is not a tile", text), kWriteTiles);
  const std::string_view view = text;
  const auto [r0, r1] = all ? std::pair(0, shape.rows - 1) : range(view.substr(0, comma), shape.rows, "row", text);
  const auto [c0, c1] = all ? std::pair(0, shape.cols - 1) : range(view.substr(comma + 1), shape.cols, "column", text);
  std::vector<sim::TilePlace> tiles;
  for (int r = r0; r <= r1; ++r)
    for (int c = c0; c <= c1; ++c) tiles.push_back({r, c});
  return tiles;
}

sim::TilePlace one_tile(const std::string& text, const machine::WaferShape& shape) {
  const std::vector<sim::TilePlace> tiles = parse_tiles(text, shape);
  if (tiles.size() > 1) throw Refusal(text, "is more than one tile", "write ROW,COLUMN, e.g. 2,1");
  return tiles.front();
}

CycleWindow parse_cycles(const std::string& text) {
  const std::string_view view = text;
  const std::size_t dash = view.find('-');
  const auto bad = [&] {
    return Refusal("--cycles", fmt::format("{} is not a window", text), "write FROM-TO, e.g. 100-400, or FROM-");
  };
  if (dash == std::string_view::npos) {
    const auto to = number<std::uint64_t>(view);
    if (!to || *to == 0) throw bad();
    return {0, *to};
  }
  const auto from = number<std::uint64_t>(view.substr(0, dash));
  const auto to = dash + 1 == view.size() ? std::numeric_limits<std::uint64_t>::max()
                                          : number<std::uint64_t>(view.substr(dash + 1));
  if (!from || !to || *from >= *to) throw bad();
  return {*from, *to};
}

}  // namespace weft::trace
