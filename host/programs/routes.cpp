#include "host/programs/routes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "sw/base/refusal.hpp"

namespace weft::programs {
namespace {

using machine::Port;

/// The port through which words leave for the neighbour in the direction `step`.
std::optional<Port> port_of(Tile step) {
  if (step == Tile{-1, 0}) return Port::N;
  if (step == Tile{0, 1}) return Port::E;
  if (step == Tile{1, 0}) return Port::S;
  if (step == Tile{0, -1}) return Port::W;
  return std::nullopt;
}

/// The neighbour's port at which words arrive.
constexpr Port opposite(Port port) { return static_cast<Port>(static_cast<unsigned>(port) ^ 2U); }

template <class Work>
void for_tiles(const Region& region, const Work& work) {
  for (int row = region.row; row < region.row + region.rows; ++row)
    for (int col = region.col; col < region.col + region.cols; ++col) work(Tile{row, col});
}

void shift(const Stream& stream, StreamRoutes& to) {
  const std::optional<Port> out = port_of(stream.way.step);
  if (!out)
    throw Refusal(
        stream.name,
        fmt::format("a shift by ({}, {}) does not lead to a neighbour", stream.way.step.row, stream.way.step.col),
        "use (0, 1), (0, -1), (1, 0) or (-1, 0), or a path");
  for_tiles(stream.region, [&](Tile t) {
    const auto [row, col] = stream.way.step;
    if (stream.region.has({t.row + row, t.col + col})) {
      to.routes.push_back({t, Port::Ramp, bit(*out)});
      to.senders.push_back(t);
    }
    if (stream.region.has({t.row - row, t.col - col})) {
      to.routes.push_back({t, opposite(*out), bit(Port::Ramp)});
      to.receivers.push_back(t);
    }
  });
}

void gather(const Stream& stream, StreamRoutes& to) {
  to.to_host = true;
  const Region& region = stream.region;
  for_tiles(region, [&](Tile t) {
    to.routes.push_back({t, Port::Ramp, bit(Port::W)});
    to.senders.push_back(t);
    if (t.col == region.col + region.cols - 1) return;
    to.routes.push_back({t, Port::E, bit(Port::Ramp)});
    to.receivers.push_back(t);
  });
  for_tiles({region.row, 0, region.rows, region.col}, [&](Tile t) { to.routes.push_back({t, Port::E, bit(Port::W)}); });
}

/// A tree from `source`: along its row if the stream crosses columns, and from there along the columns.
void tree(const Region& region, Tile source, bool along_row, bool along_columns, StreamRoutes& to) {
  const int last_row = region.row + region.rows - 1, last_col = region.col + region.cols - 1;
  const auto vertical = [&](Tile t, bool north, bool south) {
    unsigned outputs = 0;
    if (along_columns && north && t.row > region.row) outputs |= bit(Port::N);
    if (along_columns && south && t.row < last_row) outputs |= bit(Port::S);
    return outputs;
  };
  const auto horizontal = [&](Tile t, bool east, bool west) {
    unsigned outputs = 0;
    if (along_row && east && t.col < last_col) outputs |= bit(Port::E);
    if (along_row && west && t.col > region.col) outputs |= bit(Port::W);
    return outputs;
  };
  const unsigned outputs = vertical(source, true, true) | horizontal(source, true, true);
  if (!outputs) return;  // the only tile
  to.routes.push_back({source, Port::Ramp, outputs});
  to.senders.push_back(source);
  for_tiles(region, [&](Tile t) {
    if (t == source || (!along_row && t.col != source.col) || (!along_columns && t.row != source.row)) return;
    to.receivers.push_back(t);
    const bool east = t.col > source.col, south = t.row > source.row;
    if (t.row == source.row)
      to.routes.push_back(
          {t, east ? Port::W : Port::E, bit(Port::Ramp) | horizontal(t, east, !east) | vertical(t, true, true)});
    else
      to.routes.push_back({t, south ? Port::N : Port::S, bit(Port::Ramp) | vertical(t, !south, south)});
  });
}

void broadcast(const Stream& stream, StreamRoutes& to) {
  const Region& region = stream.region;
  const Tile from = stream.way.tiles.at(0);
  if (from.row >= 0 && from.col >= 0) {
    if (!region.has(from))
      throw Refusal(stream.name, name_of(from) + " is not in its region, " + name_of(region),
                    "broadcast from one of its tiles");
    return tree(region, from, true, true, to);
  }
  const bool by_row = from.row < 0;  // each row has a source
  if (by_row ? !region.has({region.row, from.col}) : !region.has({from.row, region.col}))
    throw Refusal(stream.name,
                  fmt::format("{} {} is not in its region, {}", by_row ? "column" : "row", by_row ? from.col : from.row,
                              name_of(region)),
                  "broadcast from one of its tiles");
  if (by_row)
    for (int row = region.row; row < region.row + region.rows; ++row) tree(region, {row, from.col}, true, false, to);
  else
    for (int col = region.col; col < region.col + region.cols; ++col) tree(region, {from.row, col}, false, true, to);
}

void path(const Stream& stream, const machine::WaferShape& shape, StreamRoutes& to) {
  const std::vector<Tile>& tiles = stream.way.tiles;
  if (tiles.size() < 2) throw Refusal(stream.name, "a path has fewer than two tiles", "name its tiles in order");
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    check_region(stream.name, {tiles[i].row, tiles[i].col, 1, 1}, shape);
    if (std::ranges::count(tiles, tiles[i]) > 1)
      throw Refusal(stream.name, "a path passes " + name_of(tiles[i]) + " twice", "use two streams");
  }
  Port in = Port::Ramp;
  for (std::size_t i = 0; i + 1 < tiles.size(); ++i) {
    const std::optional<Port> out = port_of({tiles[i + 1].row - tiles[i].row, tiles[i + 1].col - tiles[i].col});
    if (!out)
      throw Refusal(stream.name, name_of(tiles[i]) + " and " + name_of(tiles[i + 1]) + " of a path are not neighbours",
                    "name all tiles of the path");
    to.routes.push_back({tiles[i], in, bit(*out)});
    in = opposite(*out);
  }
  to.routes.push_back({tiles.back(), in, bit(Port::Ramp)});
  to.senders.push_back(tiles.front());
  to.receivers.push_back(tiles.back());
}

}  // namespace

void check_region(const std::string& subject, const Region& region, const machine::WaferShape& shape) {
  if (region.rows >= 1 && region.cols >= 1 && region.row >= 0 && region.col >= 0 &&
      region.row + region.rows <= shape.rows && region.col + region.cols <= shape.cols)
    return;
  const bool one = region.rows == 1 && region.cols == 1;
  throw Refusal(subject,
                fmt::format("{} is not part of the wafer, which has {} x {} tiles",
                            one ? name_of(Tile{region.row, region.col}) : name_of(region), shape.rows, shape.cols),
                fmt::format("use rows 0 to {} and columns 0 to {}", shape.rows - 1, shape.cols - 1));
}

StreamRoutes routes_of(const Stream& stream, const machine::WaferShape& shape) {
  StreamRoutes to;
  if (stream.way.kind == Way::Kind::Path) {
    path(stream, shape, to);
    return to;
  }
  check_region(stream.name, stream.region, shape);
  switch (stream.way.kind) {
    case Way::Kind::Shift:
      shift(stream, to);
      break;
    case Way::Kind::Broadcast:
      broadcast(stream, to);
      break;
    default:
      gather(stream, to);
  }
  return to;
}

}  // namespace weft::programs
