#include "verif/model/step/chain_ports.hpp"

#include <cstring>

namespace weft::model {

using isa::Port;

ChainPorts::ChainPorts(const Place& place, Chains& chains)
    : ring(place.columns.count), north(place.columns.count), place_(place), chains_(chains), routes_(false) {
  chains_.rows.push_back(this);
  ++chains_.no_ring;
  ++chains_.no_north;
  compare();
}

void ChainPorts::clear() {
  ring = Stream(place_.columns.count);
  north = Stream(place_.columns.count);
  west = {};
  routes_ = Routes(false);
  compare();
}

bool ChainPorts::set_route(const Route& route) {
  if (route.color == static_cast<int>(isa::Color::W)) return false;  // W comes to all columns at once
  routes_.at(route.port, route.color) = route.outputs;
  compare();
  return true;
}

Routes ChainPorts::routes_of(int col) const {
  Routes routes = routes_;
  routes.at(Port::W, 0) = Routes(col == place_.shape.cols - 1).at(Port::W, 0);
  return routes;
}

/// Which chains the routes are.
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

/// Opens the chains that are whole, closes the others.
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
  return color == kWest && west_fits_ && place_.shape.cols == 1 ? Outcome::Done : Outcome::NotInStep;
}

void ChainPorts::send(int color, const std::uint32_t* words, int beats, int k) {
  const auto size = static_cast<std::size_t>(beats * place_.columns.count * k);
  if (Stream* to = out(color))
    std::memcpy(to->push(beats, k), words, size * sizeof *words);
  else
    west.words({words, size});
}

}  // namespace weft::model
