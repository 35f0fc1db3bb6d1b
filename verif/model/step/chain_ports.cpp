#include "verif/model/step/chain_ports.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace weft::model {

using isa::Port;

ChainPorts::ChainPorts(const Place& place, Chains& chains)
    : ring(place.columns.count),
      north(place.columns.count),
      east(place.columns.count),
      place_(place),
      chains_(chains),
      routes_(false),
      east_(static_cast<std::size_t>(place.shape.cols)) {
  reset_w();
  chains_.rows.push_back(this);
  ++chains_.no_ring;
  ++chains_.no_north;
  compare();
}

void ChainPorts::clear() {
  ring = Stream(place_.columns.count);
  north = Stream(place_.columns.count);
  east = Stream(place_.columns.count);
  west = {};
  routes_ = Routes(false);
  east_.assign(east_.size(), {});
  reset_w();
  compare();
  compare_east();
}

void ChainPorts::reset_w() {
  const int cols = place_.shape.cols;
  w_.clear();
  for (int c = 0; c < cols; ++c) w_.push_back({Routes(c == cols - 1).at(Port::W, kW), 0});
}

bool ChainPorts::set_route(const Route& route, int first, int last) {
  if (route.color == kW) {
    const auto port = static_cast<Port>(route.port);
    if (port != Port::W && port != Port::E) return false;
    for (int c = first; c <= last; ++c) {
      FromBothSides& w = w_[static_cast<std::size_t>(c)];
      (port == Port::W ? w.west : w.east) = route.outputs;
    }
    return true;
  }
  if (route.color == kEast) {
    for (int c = first; c <= last; ++c)
      east_[static_cast<std::size_t>(c)].at[static_cast<std::size_t>(route.port)] = route.outputs;
    compare_east();
    return true;
  }
  if (first != 0 || last != place_.shape.cols - 1) return false;
  routes_.at(route.port, route.color) = route.outputs;
  compare();
  return true;
}

Routes ChainPorts::routes_of(int col) const {
  Routes routes = routes_;
  const FromBothSides& w = w_[static_cast<std::size_t>(col)];
  routes.at(Port::W, kW) = w.west;
  routes.at(Port::E, kW) = w.east;
  for (int port = 0; port < kPorts; ++port)
    routes.at(port, kEast) = east_[static_cast<std::size_t>(col)].at[static_cast<std::size_t>(port)];
  return routes;
}

bool ChainPorts::w_reaches_all() const {
  const int cols = place_.shape.cols;
  std::vector<int> times(w_.size());
  Port from = Port::W;
  for (int c = 0, steps = 0; steps < 2 * cols; ++steps) {
    const FromBothSides& w = w_[static_cast<std::size_t>(c)];
    const std::uint8_t outputs = from == Port::W ? w.west : w.east;
    if (outputs & bit(Port::Ramp)) ++times[static_cast<std::size_t>(c)];
    const unsigned on = outputs & ~unsigned{bit(Port::Ramp)};
    if (!on) break;
    if (on != bit(Port::E) && on != bit(Port::W)) return false;  // two directions, or out of the row
    from = on == bit(Port::E) ? Port::W : Port::E;
    c += on == bit(Port::E) ? 1 : -1;
    if (c < 0) return false;
  }
  return std::ranges::all_of(times, [](int n) { return n == 1; });
}

/// Determines the chains that the routes form.
void ChainPorts::compare() {
  const bool first = place_.row == 0, last = place_.row == place_.shape.rows - 1;
  const auto leads = [this](Port from, int color, Port to) { return routes_.at(from, color) == bit(to); };
  const bool ring_fits = !(first && last) && leads(Port::Ramp, kRing, last ? Port::N : Port::S) &&
                         (first || leads(Port::N, kRing, Port::Ramp)) &&
                         (last || leads(Port::S, kRing, first ? Port::Ramp : Port::N));
  const bool north_fits = (first || leads(Port::Ramp, kNorth, Port::N)) && (last || leads(Port::S, kNorth, Port::Ramp));
  west_fits_ = leads(Port::Ramp, kWest, Port::W) && (place_.shape.cols == 1 || leads(Port::E, kWest, Port::Ramp));
  if (ring_fits == ring_fits_ && north_fits == north_fits_) return;
  chains_.no_ring += ring_fits_ - ring_fits;
  chains_.no_north += north_fits_ - north_fits;
  ring_fits_ = ring_fits;
  north_fits_ = north_fits;
  for (ChainPorts* row : chains_.rows) row->connect();
}

/// Checks that EAST's routes form rings of neighbours, none of which is partly outside this slice.
void ChainPorts::compare_east() {
  before_.clear();
  in_[kEast] = nullptr;
  const auto routes = [this](int c) {
    const auto& at = east_[static_cast<std::size_t>(c)].at;
    const auto from = [&at](Port port) { return at[static_cast<std::size_t>(port)]; };
    return std::array{from(Port::Ramp), from(Port::W), from(Port::E), from(Port::N), from(Port::S)};
  };
  constexpr std::uint8_t kNone = 0, kToE = bit(Port::E), kToW = bit(Port::W), kToRamp = bit(Port::Ramp);
  constexpr std::array kFirst{kToE, kNone, kToRamp, kNone, kNone}, kMiddle{kToW, kToE, kToRamp, kNone, kNone},
      kLast{kToW, kToRamp, kNone, kNone, kNone};
  std::vector<int> before;
  int first = -1;  // first column of the current ring
  for (int c = 0; c < place_.columns.count; ++c) {
    const auto own = routes(place_.columns.first + c);
    if (own != (first < 0 ? kFirst : kMiddle) && (first < 0 || own != kLast)) return;
    if (first < 0) first = c;
    before.push_back(own == kLast ? first : c + 1);
    if (own == kLast) first = -1;
  }
  if (first >= 0) return;
  before_ = std::move(before);
  in_[kEast] = &east;
}

/// Connects the chains that are complete and disconnects the others.
void ChainPorts::connect() {
  const auto rows = chains_.rows.size(), row = static_cast<std::size_t>(place_.row);
  in_[kRing] = out_[kRing] = in_[kNorth] = out_[kNorth] = nullptr;
  if (!chains_.no_ring) {
    in_[kRing] = &ring;
    out_[kRing] = &chains_.rows[(row + 1) % rows]->ring;
  }
  if (!chains_.no_north) {
    in_[kNorth] = &north;
    out_[kNorth] = row ? &chains_.rows[row - 1]->north : nullptr;
  }
}

Outcome ChainPorts::may_send(int color) {
  const bool can = color == kWest ? west_fits_ && place_.shape.cols == 1 : color == kEast && !before_.empty();
  return can ? Outcome::Done : Outcome::NotInLockstep;
}

void ChainPorts::send(int color, const std::uint32_t* words, int beats, int k) {
  const auto size = static_cast<std::size_t>(beats * place_.columns.count * k);
  if (Stream* to = out(color)) {
    std::memcpy(to->push(beats, k), words, size * sizeof *words);
  } else if (color == kEast) {
    std::uint32_t* to_words = east.push(beats, k);
    for (int beat = 0; beat < beats; ++beat, words += place_.columns.count * k)
      for (const int from : before_) to_words = std::copy_n(words + from * k, k, to_words);
  } else {
    west.words({words, size});
  }
}

}  // namespace weft::model
