/// Inspection and modification of ReplicatedTiles from outside. Only for replicated_tiles.hpp, which includes it.
#pragma once

namespace weft::sim {

template <class Pe, class PeRoot, int Lanes>
WaferCounters ReplicatedTiles<Pe, PeRoot, Lanes>::work() const {
  WaferCounters sum;
  for (const Tile& tile : tiles_) {
    sum.fma_lanes += tile.pe->fma_lanes_o;
    sum.beats += tile.pe->beats_o;
  }
  return sum;
}

template <class Pe, class PeRoot, int Lanes>
std::vector<std::uint16_t> ReplicatedTiles<Pe, PeRoot, Lanes>::sram(int row, int col, int elements) const {
  const PeRoot& pe = *at(row, col).pe;
  std::vector<std::uint16_t> result(static_cast<std::size_t>(elements));
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i] = sram_element(rtl::sram_word<Lanes>(pe, i / Lanes), static_cast<int>(i % Lanes));
  return result;
}

template <class Pe, class PeRoot, int Lanes>
std::uint8_t ReplicatedTiles<Pe, PeRoot, Lanes>::flags(int row, int col) const {
  const Tile& tile = at(row, col);
  unsigned bits = tile.pe->flags_o;  // lacks what the router has detected since its own last edge
  if (tile.router->no_route_o) bits |= 1u << static_cast<unsigned>(isa::Flag::NoRoute);
  if (tile.router->bad_color_o) bits |= 1u << static_cast<unsigned>(isa::Flag::BadColor);
  if (tile.router->bad_route_o) bits |= 1u << static_cast<unsigned>(isa::Flag::BadRoute);
  return static_cast<std::uint8_t>(bits);
}

template <class Pe, class PeRoot, int Lanes>
machine::TileState ReplicatedTiles<Pe, PeRoot, Lanes>::state(int row, int col) const {
  machine::TileState s = tile_state<Lanes, kColors>(*at(row, col).pe, *at(row, col).router);
  s.memory = sram(row, col, sram_kib_ * 512);
  s.flags = flags(row, col);
  return s;
}

template <class Pe, class PeRoot, int Lanes>
void ReplicatedTiles<Pe, PeRoot, Lanes>::count(Tile& tile) {
  const PeRoot& pe = *tile.pe;
#define WEFT_AT(t, name) pe.weft_pe__DOT__i_scalar__DOT__i_##t##_thread__DOT__##name
  if (WEFT_AT(main, state_q) == rtl::kDecode) ++tile.executed[WEFT_AT(main, pc_q)];
  if (WEFT_AT(psum, state_q) == rtl::kDecode) ++tile.executed[isa::kIDepth + WEFT_AT(psum, pc_q)];
#undef WEFT_AT
}

template <class Pe, class PeRoot, int Lanes>
void ReplicatedTiles<Pe, PeRoot, Lanes>::fetch_states() {
  for (std::uint32_t tile = 0; tile < tiles_.size(); ++tile) {
    PeRoot& pe = *tiles_[tile].pe;
    Band& band = band_of(tile);
    if (pe.awake_o && !pe.busy_o && !band.pes.has(tile)) clock_pe(band, tile);
  }
  if constexpr (kCountsStalls) hand_over_stalls();
}

template <class Pe, class PeRoot, int Lanes>
void ReplicatedTiles<Pe, PeRoot, Lanes>::clock_pe(Band& band, std::uint32_t index) {
  Tile& tile = tiles_[index];
  if constexpr (kCountsStalls) {
    tile.pe->tally_cycles_i = static_cast<IData>(std::min<std::uint64_t>(edges_ - tile.clocked, ~IData{0}));
    tile.clocked = edges_;
  }
  clock_edge(*tile.pe_model, *tile.pe);
  if constexpr (kCountsStalls) {
    if (!is_fresh_stall_record(tile.pe->tally_o)) return;
    tile.times.latched(edges_);
    if (stalls_) band.stalls.push_back(record(index));
  }
}

template <class Pe, class PeRoot, int Lanes>
void ReplicatedTiles<Pe, PeRoot, Lanes>::hand_over_stalls() {
  for (Band& band : bands_) {
    if (band.stalls.empty()) continue;
    stalls_->insert(stalls_->end(), band.stalls.begin(), band.stalls.end());
    band.stalls.clear();
  }
}

template <class Pe, class PeRoot, int Lanes>
std::uint64_t ReplicatedTiles<Pe, PeRoot, Lanes>::link_messages() const {
  std::uint64_t sum = 0;
  for (const Band& band : bands_) sum += band.link_messages;
  return sum;
}

template <class Pe, class PeRoot, int Lanes>
void ReplicatedTiles<Pe, PeRoot, Lanes>::lose_credit(int row, int col, int port, int color) {
  auto& counts = at(row, col).router->weft_router__DOT__i_credits__DOT__count_q;  // bit-sliced
  const unsigned pair = static_cast<unsigned>(port) * kColors + static_cast<unsigned>(color);
  for (unsigned b = 0; b < rtl::bits_for(kBuiltDepth + 1); ++b) {
    const unsigned place = b * 5 * kColors + pair;
    const bool set = bits_at<1>(counts, place);
    flip_bit(counts, place);
    if (set) return;  // otherwise borrow from the next bit
  }
}

template <class Pe, class PeRoot, int Lanes>
StallRecord ReplicatedTiles<Pe, PeRoot, Lanes>::record(std::uint32_t index) {
  const Tile& tile = tiles_[index];
  StallRecord r = read_stalls([&tile](unsigned reason) -> const auto& {
    tile.pe->tally_read_i = static_cast<CData>(reason);
    follow_inputs(*tile.pe_model, *tile.pe);
    return tile.pe->tally_o;
  });
  r.row = static_cast<int>(index) / cols_;
  r.col = static_cast<int>(index) % cols_;
  r.begin = tile.times.begin;
  r.end = tile.times.end;
  return r;
}

template <class Pe, class PeRoot, int Lanes>
StallRecord ReplicatedTiles<Pe, PeRoot, Lanes>::stall_record(int row, int col) {
  if constexpr (!kCountsStalls) throw std::logic_error("this simulator does not count where cycles go");
  return record(static_cast<std::uint32_t>(row * cols_ + col));
}

template <class Pe, class PeRoot, int Lanes>
void ReplicatedTiles<Pe, PeRoot, Lanes>::log_stalls(StallLog* log) {
  if constexpr (!kCountsStalls) throw std::logic_error("this simulator does not count where cycles go");
  stalls_ = log;
}

template <class Pe, class PeRoot, int Lanes>
std::string ReplicatedTiles<Pe, PeRoot, Lanes>::running(int row, int col) const {
  const PeRoot& pe = *at(row, col).pe;
  if (!pe.awake_o) return "";
  const auto thread = [](const char* name, unsigned state, unsigned pc, unsigned executed) {
    if (state == rtl::kHalted) return name + std::string(" rests");
    return name + (" pc " + std::to_string(state > rtl::kDecode ? executed : pc));
  };
#define WEFT_AT(t, name) pe.weft_pe__DOT__i_scalar__DOT__i_##t##_thread__DOT__##name
  return thread("runs: main", WEFT_AT(main, state_q), WEFT_AT(main, pc_q), WEFT_AT(main, here_q)) +
         thread("; psum", WEFT_AT(psum, state_q), WEFT_AT(psum, pc_q), WEFT_AT(psum, here_q));
#undef WEFT_AT
}

template <class Pe, class PeRoot, int Lanes>
void ReplicatedTiles<Pe, PeRoot, Lanes>::set_state(int row, int col, const machine::TileState& state) {
  PeRoot& pe = *at(row, col).pe;
  put_state<Lanes>(pe, state);
  for (std::size_t i = 0; i < state.memory.size(); ++i)
    set_sram_element(rtl::sram_word<Lanes>(pe, i / Lanes), static_cast<int>(i % Lanes), state.memory[i]);
}

template <class Pe, class PeRoot, int Lanes>
TileView ReplicatedTiles<Pe, PeRoot, Lanes>::view(int row, int col) {
  const Tile& tile = at(row, col);
  follow_inputs(*tile.pe_model, *tile.pe);
  follow_inputs(*tile.router_model, *tile.router);
  TileView v = tile_view<Lanes>(*tile.pe, *tile.router);
  for (unsigned p = 0; p < v.ports.size(); ++p) {
    v.ports[p].in_credit = bits_at<kColors>(tile.router->credit_i, p * kColors);
    v.ports[p].out_credit = bits_at<kColors>(tile.router->credit_o, p * kColors);
  }
  v.awake = (tile.pe->awake_o | tile.router->awake_o) != 0;
  return v;
}

}  // namespace weft::sim
