/// What a cycle does to StampedTiles. Only for stamped_tiles.hpp, which includes it.
#pragma once

namespace weft {

template <class Pe, class PeRoot, int Lanes>
void StampedTiles<Pe, PeRoot, Lanes>::clock() {
  ++edges_;
#ifndef WEFT_BLIND
  for (const std::uint32_t index : watched_) {
    pes_.wake(index);
    routers_.wake(index);
  }
#endif
  pes_.clock([this](std::uint32_t index) {
    PeRoot& pe = *tiles_[index].pe;
    clock_pe(index);
    pe.valid_i = pe.credit_i = 0;
#ifdef WEFT_COUNT_INSTRUCTIONS
    count(tiles_[index]);
#endif
  });
  routers_.clock([this](std::uint32_t index) {
    Vrouter___024root& router = *tiles_[index].router;
    clock_edge(router);
    router.valid_i = router.route_we_i = 0;
    clear_bits(router.credit_i);
  });
}

template <class Pe, class PeRoot, int Lanes>
void StampedTiles<Pe, PeRoot, Lanes>::exchange() {
  for (const std::uint32_t row : west_sent_) west_out_[row] = {};
  west_sent_.clear();
  stirred_ = false;
  for (const std::uint32_t tile : pes_.clocked()) from_pe(tile);
  for (const std::uint32_t tile : routers_.clocked()) from_router(tile);
}

template <class Pe, class PeRoot, int Lanes>
void StampedTiles<Pe, PeRoot, Lanes>::from_pe(std::uint32_t tile) {
  const PeRoot& out = *tiles_[tile].pe;
  if (out.busy_o) pes_.wake(tile);
  stirred_ |= out.awake_o != 0;
  if (out.valid_o | out.credit_o) to_router(tile, kRamp, out.valid_o, out.msg_o, out.credit_o);
  if (out.route_we_o) {
    Vrouter___024root& in = *tiles_[tile].router;
    in.route_we_i = 1;
    in.route_i = out.route_o;
    routers_.wake(tile);
  }
}

template <class Pe, class PeRoot, int Lanes>
void StampedTiles<Pe, PeRoot, Lanes>::from_router(std::uint32_t tile) {
  const Vrouter___024root& out = *tiles_[tile].router;
  if (out.busy_o) routers_.wake(tile);
  stirred_ |= out.awake_o != 0;
  PeRoot& pe = *tiles_[tile].pe;
  pe.no_route_i = out.no_route_o;
  pe.bad_color_i = out.bad_color_o;
  pe.bad_route_i = out.bad_route_o;
  if (!out.valid_o && !any_bit(out.credit_o)) return;

  for (unsigned port = 0; port < kRamp; ++port) {
    const bool valid = out.valid_o >> port & 1;
    const unsigned credit = bits_at<kColors>(out.credit_o, port * kColors);
    if (!(valid | credit)) continue;
    link_messages_ += valid;
    const std::uint32_t to = tiles_[tile].neighbour[port];
    if (to != kNone) {
      to_router(to, port ^ 2, valid, out.msg_o[port], credit);  // the neighbour's opposite port
    } else if (port == kWest) {
      const std::uint32_t row = tile / static_cast<std::uint32_t>(cols_);
      west_out_[row] = {valid, out.msg_o[port], credit};
      west_sent_.push_back(row);
    }
  }
  const unsigned credit = bits_at<kColors>(out.credit_o, kRamp * kColors);
  if (out.valid_o >> kRamp | credit) {
    pe.valid_i = out.valid_o >> kRamp;
    pe.msg_i = out.msg_o[kRamp];
    pe.credit_i = static_cast<std::decay_t<decltype(pe.credit_i)>>(credit);
    pes_.wake(tile);
  }
}

template <class Pe, class PeRoot, int Lanes>
void StampedTiles<Pe, PeRoot, Lanes>::to_router(std::uint32_t tile, unsigned port, bool valid, std::uint64_t msg,
                                                unsigned credit) {
  Vrouter___024root& in = *tiles_[tile].router;
  if (credit) add_credit(tile, port, credit);
  if (!valid) return;
  in.valid_i |= static_cast<CData>(1u << port);
  in.msg_i[port] = msg;
  routers_.wake(tile);
}

// Credits for a router without a message change nothing that it does before the next message comes: they wait at its
// input till then, or till a second one of the same pair comes.
template <class Pe, class PeRoot, int Lanes>
void StampedTiles<Pe, PeRoot, Lanes>::add_credit(std::uint32_t tile, unsigned port, unsigned credit) {
  Vrouter___024root& in = *tiles_[tile].router;
  stirred_ = true;
  if (!in.empty_o) routers_.wake(tile);
  if (bits_at<kColors>(in.credit_i, port * kColors) & credit) {
    const CData valid = in.valid_i, route_we = in.route_we_i;  // these are for the next edge
    in.valid_i = in.route_we_i = 0;
    clock_edge(in);
    in.valid_i = valid;
    in.route_we_i = route_we;
    clear_bits(in.credit_i);
  }
  set_bits_at(in.credit_i, port * kColors, credit);
}

template <class Pe, class PeRoot, int Lanes>
void StampedTiles<Pe, PeRoot, Lanes>::west_in(int row, const WestLink& link) {
  to_router(static_cast<std::uint32_t>(row * cols_), kWest, link.valid, link.msg, link.credit);
}

}  // namespace weft
