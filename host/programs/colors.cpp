#include "host/programs/colors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sw/base/refusal.hpp"

namespace weft::programs {
namespace {

class Choice {
 public:
  Choice(std::span<const Stream> streams, std::span<const StreamRoutes> routes, const machine::WaferShape& shape)
      : streams_(streams), shape_(shape), colors_(streams.size(), 0) {
    for (const StreamRoutes& r : routes) {
      std::set<Tile>& tiles = tiles_.emplace_back();
      for (const Route& route : r.routes) tiles.insert(route.tile);
      west_.push_back(std::ranges::none_of(r.receivers, [&](Tile t) { return t.col == shape.cols - 1; }));
    }
  }

  /// The stream before that has the color in one of the tiles of stream `s`; null if there is none.
  const Stream* other(std::size_t s, int color) const {
    for (std::size_t o = 0; o < streams_.size(); ++o) {
      const auto meet = [&](Tile t) { return tiles_[o].contains(t); };
      if (o != s && colors_[o] == color && std::ranges::any_of(tiles_[s], meet)) return &streams_[o];
    }
    return nullptr;
  }

  void take(std::size_t s, int color) {
    const Stream& stream = streams_[s];
    if (color < 1 || color >= shape_.colors)
      throw Refusal(stream.name, fmt::format("color {} is not for streams", color),
                    fmt::format("use 1 to {}, or auto", shape_.colors - 1));
    if (color == kWest && !west_[s])
      throw Refusal(stream.name, fmt::format("color {} brings no words to the last column", color),
                    "use another color, or auto");
    if (const Stream* const used = other(s, color))
      throw Refusal(stream.name,
                    fmt::format("color {} is used twice: stream {} has it, in the same tiles", color, used->name),
                    "use another color, or auto");
    colors_[s] = color;
  }

  void choose(std::size_t s) {
    for (int color = 1; color < shape_.colors; ++color)
      if (color != kWest && !other(s, color)) return take(s, color);
    if (west_[s] && !other(s, kWest)) return take(s, kWest);
    throw Refusal(streams_[s].name, fmt::format("no color is left: the wafer has {} for streams", shape_.colors - 1),
                  "use fewer streams in one region, or one stream for several purposes, one after the other");
  }

  std::vector<int> all() {
    for (std::size_t s = 0; s < streams_.size(); ++s)
      if (streams_[s].color) take(s, *streams_[s].color);
    for (const bool west : {false, true})
      for (std::size_t s = 0; s < streams_.size(); ++s)
        if (!streams_[s].color && west_[s] == west) choose(s);
    return colors_;
  }

 private:
  const std::span<const Stream> streams_;
  const machine::WaferShape shape_;
  std::vector<std::set<Tile>> tiles_;  // [stream], with routes
  std::vector<bool> west_;             // [stream]: it may have the color WEST
  std::vector<int> colors_;            // [stream]; 0: none yet
};

}  // namespace

std::vector<int> colors_of(std::span<const Stream> streams, std::span<const StreamRoutes> routes,
                           const machine::WaferShape& shape) {
  return Choice(streams, routes, shape).all();
}

}  // namespace weft::programs
