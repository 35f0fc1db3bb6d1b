#include "verif/sim/tile_grid.hpp"

#include "Vpe.h"
#include "Vpe___024root.h"
#include "Vpe__Syms.h"
#include "Vrouter.h"
#include "Vrouter___024root.h"
#include "Vrouter__Syms.h"
#include "isa.hpp"
#include "verif/sim/clock_edge.hpp"

WEFT_CLOCKED(Vpe)
WEFT_CLOCKED(Vrouter)

namespace weft {
namespace {

constexpr std::uint32_t kNone = ~std::uint32_t{0};
constexpr int kResetCycles = 4;
constexpr unsigned kColors = 4;
constexpr unsigned kWest = 3, kRamp = 4;  // ports; 0 to 3 are N E S W
constexpr unsigned kColorSet = (1u << kColors) - 1;

template <class Model>
void leave_reset(Model& model) {
  model.rst_i = 1;
  for (int i = 0; i < kResetCycles; ++i) first_edge(model);
  model.rst_i = 0;
}

}  // namespace

TileGrid::TileGrid(VerilatedContext& context, const WaferShape& shape)
    : rows_(shape.rows),
      cols_(shape.cols),
      routers_(static_cast<std::size_t>(rows_ * cols_)),
      pes_(static_cast<std::size_t>(rows_ * cols_)),
      west_out_(static_cast<std::size_t>(shape.rows)) {
  for (int row = 0; row < rows_; ++row)
    for (int col = 0; col < cols_; ++col) tiles_.push_back(make_tile(context, row, col));
  for (std::uint32_t tile = 0; tile < tiles_.size(); ++tile) {
    routers_.wake(tile);
    pes_.wake(tile);
  }
}

TileGrid::~TileGrid() = default;

TileGrid::Tile TileGrid::make_tile(VerilatedContext& context, int row, int col) const {
  const std::string place = std::to_string(row) + "_" + std::to_string(col);
  const auto index = [&](int r, int c) { return static_cast<std::uint32_t>((r + rows_) % rows_ * cols_ + c); };
  Tile tile{std::make_unique<Vrouter>(&context, ("router_" + place).c_str()),
            std::make_unique<Vpe>(&context, ("pe_" + place).c_str()), nullptr, nullptr, {}};
  tile.router = tile.router_model->rootp;
  tile.pe = tile.pe_model->rootp;
  tile.neighbour = {index(row - 1, col), col + 1 < cols_ ? index(row, col + 1) : kNone, index(row + 1, col),
                    col > 0 ? index(row, col - 1) : kNone};
  tile.router->last_col_i = col + 1 == cols_;
  tile.pe->row_i = static_cast<CData>(row);
  tile.pe->rows_i = static_cast<CData>(rows_);
  tile.pe->col_i = static_cast<CData>(col);
  tile.pe->east_i = static_cast<CData>(cols_ - 1 - col);
  leave_reset(*tile.router_model);
  leave_reset(*tile.pe_model);
  return tile;
}

void TileGrid::clock() {
  pes_.clock([this](std::uint32_t index) {
    Vpe___024root& pe = *tiles_[index].pe;
    clock_edge(pe);
    pe.valid_i = pe.credit_i = 0;
  });
  routers_.clock([this](std::uint32_t index) {
    Vrouter___024root& router = *tiles_[index].router;
    clock_edge(router);
    router.valid_i = router.route_we_i = 0;
    router.credit_i = 0;
  });
}

void TileGrid::exchange() {
  for (const std::uint32_t row : west_sent_) west_out_[row] = {};
  west_sent_.clear();
  stirred_ = false;
  for (const std::uint32_t tile : pes_.clocked()) from_pe(tile);
  for (const std::uint32_t tile : routers_.clocked()) from_router(tile);
}

void TileGrid::from_pe(std::uint32_t tile) {
  const Vpe___024root& out = *tiles_[tile].pe;
  if (out.busy_o) pes_.wake(tile);
  stirred_ |= out.awake_o != 0;
  if (out.valid_o | out.credit_o) to_router(tile, kRamp, out.valid_o, out.msg_o, out.credit_o);
  if (out.route_we_o) {
    Vrouter___024root& in = *tiles_[tile].router;
    in.route_we_i = 1;
    in.route_color_i = static_cast<CData>(out.route_o >> 11);
    in.route_port_i = static_cast<CData>(out.route_o >> 8 & 7);
    in.route_outputs_i = static_cast<CData>(out.route_o & 31);
    routers_.wake(tile);
  }
}

void TileGrid::from_router(std::uint32_t tile) {
  const Vrouter___024root& out = *tiles_[tile].router;
  if (out.busy_o) routers_.wake(tile);
  stirred_ |= out.awake_o != 0;
  Vpe___024root& pe = *tiles_[tile].pe;
  pe.no_route_i = out.no_route_o;
  pe.bad_color_i = out.bad_color_o;
  if (!(out.valid_o | out.credit_o)) return;

  for (unsigned port = 0; port < kRamp; ++port) {
    const bool valid = out.valid_o >> port & 1;
    const unsigned credit = out.credit_o >> port * kColors & kColorSet;
    if (!(valid | credit)) continue;
    link_messages_ += valid;
    const std::uint32_t to = tiles_[tile].neighbour[port];
    if (to != kNone) {
      to_router(to, port ^ 2, valid, out.msg_o[port], credit);  // the neighbour's opposite port
    } else if (port == kWest) {
      const std::uint32_t row = tile / static_cast<std::uint32_t>(cols_);
      west_out_[row] = {valid, out.msg_o[port], static_cast<std::uint8_t>(credit)};
      west_sent_.push_back(row);
    }
  }
  const unsigned credit = out.credit_o >> kRamp * kColors;
  if (out.valid_o >> kRamp | credit) {
    pe.valid_i = out.valid_o >> kRamp;
    pe.msg_i = out.msg_o[kRamp];
    pe.credit_i = static_cast<CData>(credit);
    pes_.wake(tile);
  }
}

void TileGrid::to_router(std::uint32_t tile, unsigned port, bool valid, std::uint64_t msg, unsigned credit) {
  Vrouter___024root& in = *tiles_[tile].router;
  if (credit) add_credit(tile, credit << port * kColors);
  if (!valid) return;
  in.valid_i |= static_cast<CData>(1u << port);
  in.msg_i[port] = msg;
  routers_.wake(tile);
}

// Credits for a router without a message change nothing that it does before the next message comes: they wait at its
// input till then, or till a second one of the same pair comes.
void TileGrid::add_credit(std::uint32_t tile, unsigned credits) {
  Vrouter___024root& in = *tiles_[tile].router;
  stirred_ = true;
  if (!in.empty_o) routers_.wake(tile);
  if (in.credit_i & credits) {
    const CData valid = in.valid_i, route_we = in.route_we_i;  // these are for the next edge
    in.valid_i = in.route_we_i = 0;
    clock_edge(in);
    in.valid_i = valid;
    in.route_we_i = route_we;
    in.credit_i = 0;
  }
  in.credit_i |= credits;
}

void TileGrid::west_in(int row, const WestLink& link) {
  to_router(static_cast<std::uint32_t>(row * cols_), kWest, link.valid, link.msg, link.credit);
}

WaferCounters TileGrid::work() const {
  WaferCounters sum;
  for (const Tile& tile : tiles_) {
    sum.fma_lanes += tile.pe->fma_lanes_o;
    sum.beats += tile.pe->beats_o;
  }
  return sum;
}

std::vector<std::uint16_t> TileGrid::sram(int row, int col, int elements) const {
  const auto& words = at(row, col).pe->pe__DOT__i_vector__DOT__i_sram__DOT__mem_q;
  std::vector<std::uint16_t> result(static_cast<std::size_t>(elements));
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i] = static_cast<std::uint16_t>(words[i / 4] >> (i % 4 * 16));  // four lanes a word
  return result;
}

std::uint8_t TileGrid::flags(int row, int col) const {
  const Tile& tile = at(row, col);
  unsigned bits = tile.pe->flags_o;  // does not know what the router has seen since its own last edge
  if (tile.router->no_route_o) bits |= 1u << static_cast<unsigned>(isa::Flag::NoRoute);
  if (tile.router->bad_color_o) bits |= 1u << static_cast<unsigned>(isa::Flag::BadColor);
  return static_cast<std::uint8_t>(bits);
}

std::uint64_t TileGrid::debug(int row, int col) const { return at(row, col).pe->dbg_o; }

std::string TileGrid::running(int row, int col) const {
  const Vpe___024root& pe = *at(row, col).pe;
  if (!pe.awake_o) return "";
  const auto thread = [](const char* name, bool active, unsigned pc) {
    return name + (active ? " pc " + std::to_string(pc) : std::string(" rests"));
  };
  return thread("runs: main", pe.pe__DOT__i_main__DOT__active_q, pe.pe__DOT__i_main__DOT__pc_q) +
         thread("; psum", pe.pe__DOT__i_psum__DOT__active_q, pe.pe__DOT__i_psum__DOT__pc_q);
}

}  // namespace weft
