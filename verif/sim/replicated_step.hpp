/// Execution of a cycle of ReplicatedTiles. Only for replicated_tiles.hpp, which includes it.
#pragma once

namespace weft::sim {

template <class Pe, class PeRoot, int Lanes>
void ReplicatedTiles<Pe, PeRoot, Lanes>::cycle() {
  ++edges_;
#ifndef WEFT_NO_TRACE
  for (const std::uint32_t index : watched_) {
    band_of(index).pes.wake(index);
    band_of(index).routers.wake(index);
  }
#endif
  team_.run();
  for (Band& band : bands_) {
    for (const Crossing& c : band.crossings) to_router(band_of(c.tile), c.tile, c.port, c.valid, c.msg, c.credit);
    band.crossings.clear();
  }
  if constexpr (kCountsStalls) hand_over_stalls();
}

template <class Pe, class PeRoot, int Lanes>
void ReplicatedTiles<Pe, PeRoot, Lanes>::cycle_of(Band& band) {
  clock(band);
  exchange(band);
}

template <class Pe, class PeRoot, int Lanes>
void ReplicatedTiles<Pe, PeRoot, Lanes>::clock(Band& band) {
  band.pes.clock([this, &band](std::uint32_t index) {
    PeRoot& pe = *tiles_[index].pe;
    clock_pe(band, index);
    pe.valid_i = pe.credit_i = 0;
#ifdef WEFT_COUNT_INSTRUCTIONS
    count(tiles_[index]);
#endif
  });
  band.routers.clock([this](std::uint32_t index) {
    Vweft_router___024root& router = *tiles_[index].router;
    clock_edge(*tiles_[index].router_model, router);
    router.valid_i = router.route_we_i = 0;
    clear_bits(router.credit_i);
  });
}

template <class Pe, class PeRoot, int Lanes>
void ReplicatedTiles<Pe, PeRoot, Lanes>::exchange(Band& band) {
  for (const std::uint32_t row : band.west_sent) west_out_[row] = {};
  band.west_sent.clear();
  band.stirred = false;
  for (const std::uint32_t tile : band.pes.clocked()) from_pe(band, tile);
  for (const std::uint32_t tile : band.routers.clocked()) from_router(band, tile);
}

template <class Pe, class PeRoot, int Lanes>
void ReplicatedTiles<Pe, PeRoot, Lanes>::from_pe(Band& band, std::uint32_t tile) {
  const PeRoot& out = *tiles_[tile].pe;
  if (out.busy_o) band.pes.wake(tile);
  band.stirred |= out.awake_o != 0;
  if (out.valid_o | out.credit_o) to_router(band, tile, kRamp, out.valid_o, out.msg_o, out.credit_o);
  if (out.route_we_o) {
    Vweft_router___024root& in = *tiles_[tile].router;
    in.route_we_i = 1;
    in.route_i = out.route_o;
    band.routers.wake(tile);
  }
}

template <class Pe, class PeRoot, int Lanes>
void ReplicatedTiles<Pe, PeRoot, Lanes>::from_router(Band& band, std::uint32_t tile) {
  const Vweft_router___024root& out = *tiles_[tile].router;
  if (out.busy_o) band.routers.wake(tile);
  band.stirred |= out.awake_o != 0;
  PeRoot& pe = *tiles_[tile].pe;
  pe.no_route_i = out.no_route_o;
  pe.bad_color_i = out.bad_color_o;
  pe.bad_route_i = out.bad_route_o;
  if (!out.valid_o && !any_bit(out.credit_o)) return;

  for (unsigned port = 0; port < kRamp; ++port) {
    const bool valid = out.valid_o >> port & 1;
    const unsigned credit = bits_at<kColors>(out.credit_o, port * kColors);
    if (!(valid | credit)) continue;
    band.link_messages += valid;
    const std::uint32_t to = tiles_[tile].neighbour[port];
    const unsigned opposite = port ^ 2;
    if (to != kNone && band.has(to)) {
      to_router(band, to, opposite, valid, out.msg_o[port], credit);
    } else if (to != kNone) {
      band.crossings.push_back({to, opposite, valid, out.msg_o[port], credit});
    } else if (port == kWest) {
      const std::uint32_t row = tile / static_cast<std::uint32_t>(cols_);
      west_out_[row] = {valid, out.msg_o[port], credit};
      band.west_sent.push_back(row);
    }
  }
  const unsigned credit = bits_at<kColors>(out.credit_o, kRamp * kColors);
  if (out.valid_o >> kRamp | credit) {
    pe.valid_i = out.valid_o >> kRamp;
    pe.msg_i = out.msg_o[kRamp];
    pe.credit_i = static_cast<std::decay_t<decltype(pe.credit_i)>>(credit);
    band.pes.wake(tile);
  }
}

template <class Pe, class PeRoot, int Lanes>
void ReplicatedTiles<Pe, PeRoot, Lanes>::to_router(Band& band, std::uint32_t tile, unsigned port, bool valid,
                                                   std::uint64_t msg, unsigned credit) {
  Vweft_router___024root& in = *tiles_[tile].router;
  if (credit) add_credit(band, tile, port, credit);
  if (!valid) return;
  in.valid_i |= static_cast<CData>(1u << port);
  in.msg_i[port] = msg;
  band.routers.wake(tile);
}

// Delivers a credit. Credits of a router without a message do not affect it before the next message arrives: they wait
// at its input until then, or until a second credit of the same pair arrives.
template <class Pe, class PeRoot, int Lanes>
void ReplicatedTiles<Pe, PeRoot, Lanes>::add_credit(Band& band, std::uint32_t tile, unsigned port, unsigned credit) {
  Vweft_router___024root& in = *tiles_[tile].router;
  band.stirred = true;
  if (!in.empty_o) band.routers.wake(tile);
  if (bits_at<kColors>(in.credit_i, port * kColors) & credit) {
    const CData valid = in.valid_i, route_we = in.route_we_i;  // reserved for the next edge
    in.valid_i = in.route_we_i = 0;
    clock_edge(*tiles_[tile].router_model, in);
    in.valid_i = valid;
    in.route_we_i = route_we;
    clear_bits(in.credit_i);
  }
  set_bits_at(in.credit_i, port * kColors, credit);
}

template <class Pe, class PeRoot, int Lanes>
void ReplicatedTiles<Pe, PeRoot, Lanes>::west_in(int row, const WestLink& link) {
  const auto tile = static_cast<std::uint32_t>(row * cols_);
  to_router(band_of(tile), tile, kWest, link.valid, link.msg, link.credit);
}

}  // namespace weft::sim
