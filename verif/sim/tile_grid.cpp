#include "verif/sim/tile_grid.hpp"

#include <algorithm>
#include <bit>

#include "Vtile.h"
#include "Vtile___024root.h"
#include "verif/sim/clock_edge.hpp"

namespace weft {
namespace {

constexpr std::uint32_t kNone = ~std::uint32_t{0};
constexpr int kResetCycles = 4;

}  // namespace

TileGrid::TileGrid(VerilatedContext& context, const WaferShape& shape)
    : rows_(shape.rows), cols_(shape.cols), west_out_(static_cast<std::size_t>(shape.rows)) {
  const std::size_t count = static_cast<std::size_t>(rows_ * cols_);
  awake_.resize((count + 63) / 64);
  clocked_.reserve(count);
  for (int row = 0; row < rows_; ++row) {
    for (int col = 0; col < cols_; ++col) {
      const std::string name = "tile_" + std::to_string(row) + "_" + std::to_string(col);
      const auto index = [&](int r, int c) { return static_cast<std::uint32_t>((r + rows_) % rows_ * cols_ + c); };
      Tile tile{std::make_unique<Vtile>(&context, name.c_str()), nullptr, {}};
      tile.root = tile.model->rootp;
      tile.neighbour = {index(row - 1, col), col + 1 < cols_ ? index(row, col + 1) : kNone, index(row + 1, col),
                        col > 0 ? index(row, col - 1) : kNone};
      tile.root->row_i = static_cast<CData>(row);
      tile.root->rows_i = static_cast<CData>(rows_);
      tile.root->col_i = static_cast<CData>(col);
      tile.root->east_i = static_cast<CData>(cols_ - 1 - col);
      tile.root->rst_i = 1;
      for (int i = 0; i < kResetCycles; ++i) clock_edge(*tile.model);
      tile.root->rst_i = 0;
      tiles_.push_back(std::move(tile));
      wake(static_cast<std::uint32_t>(tiles_.size() - 1));
    }
  }
}

TileGrid::~TileGrid() = default;

void TileGrid::clock() {
  clocked_.clear();
  for (std::size_t word = 0; word < awake_.size(); ++word) {
    for (std::uint64_t bits = awake_[word]; bits != 0; bits &= bits - 1) {
      const std::uint32_t index =
          static_cast<std::uint32_t>(word * 64) + static_cast<std::uint32_t>(std::countr_zero(bits));
      Tile& tile = tiles_[index];
      Vtile___024root& root = *tile.root;
      clock_edge(*tile.model);
      root.n_valid_i = root.e_valid_i = root.s_valid_i = root.w_valid_i = 0;
      root.n_credit_i = root.e_credit_i = root.s_credit_i = root.w_credit_i = 0;
      clocked_.push_back(index);
    }
    awake_[word] = 0;
  }
}

void TileGrid::exchange() {
  for (const std::uint32_t row : west_sent_) west_out_[row] = {};
  west_sent_.clear();
  for (const std::uint32_t index : clocked_) {
    const Vtile___024root& root = *tiles_[index].root;
    if (root.awake_o) wake(index);
    if (root.n_valid_o | root.e_valid_o | root.s_valid_o | root.w_valid_o | root.n_credit_o | root.e_credit_o |
        root.s_credit_o | root.w_credit_o) {
      send(index);
    }
  }
}

void TileGrid::send(std::uint32_t from) {
  const Tile& tile = tiles_[from];
  const Vtile___024root& out = *tile.root;
  const auto [north, east, south, west] = tile.neighbour;
  link_messages_ += std::uint64_t{out.n_valid_o} + out.e_valid_o + out.s_valid_o + out.w_valid_o;

  if (out.n_valid_o | out.n_credit_o) {
    Vtile___024root& in = *tiles_[north].root;
    in.s_valid_i = out.n_valid_o;
    in.s_msg_i = out.n_msg_o;
    in.s_credit_i = out.n_credit_o;
    wake(north);
  }
  if (out.s_valid_o | out.s_credit_o) {
    Vtile___024root& in = *tiles_[south].root;
    in.n_valid_i = out.s_valid_o;
    in.n_msg_i = out.s_msg_o;
    in.n_credit_i = out.s_credit_o;
    wake(south);
  }
  if (out.e_valid_o | out.e_credit_o && east != kNone) {
    Vtile___024root& in = *tiles_[east].root;
    in.w_valid_i = out.e_valid_o;
    in.w_msg_i = out.e_msg_o;
    in.w_credit_i = out.e_credit_o;
    wake(east);
  }
  if (out.w_valid_o | out.w_credit_o) {
    if (west != kNone) {
      Vtile___024root& in = *tiles_[west].root;
      in.e_valid_i = out.w_valid_o;
      in.e_msg_i = out.w_msg_o;
      in.e_credit_i = out.w_credit_o;
      wake(west);
    } else {
      const std::uint32_t row = from / static_cast<std::uint32_t>(cols_);
      west_out_[row] = {out.w_valid_o != 0, out.w_msg_o, out.w_credit_o};
      west_sent_.push_back(row);
    }
  }
}

void TileGrid::west_in(int row, const WestLink& link) {
  Vtile___024root& in = *at(row, 0).root;
  in.w_valid_i = link.valid;
  in.w_msg_i = link.msg;
  in.w_credit_i = link.credit;
  wake(static_cast<std::uint32_t>(row * cols_));
}

bool TileGrid::awake() const {
  return std::any_of(awake_.begin(), awake_.end(), [](std::uint64_t word) { return word != 0; });
}

WaferCounters TileGrid::work() const {
  WaferCounters sum;
  for (const Tile& tile : tiles_) {
    sum.fma_lanes += tile.root->fma_lanes_o;
    sum.beats += tile.root->beats_o;
  }
  return sum;
}

std::vector<std::uint16_t> TileGrid::sram(int row, int col, int elements) const {
  const auto& words = at(row, col).root->tile__DOT__i_pe__DOT__i_vector__DOT__i_sram__DOT__mem_q;
  std::vector<std::uint16_t> result(static_cast<std::size_t>(elements));
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i] = static_cast<std::uint16_t>(words[i / 4] >> (i % 4 * 16));  // four lanes a word
  return result;
}

std::uint8_t TileGrid::flags(int row, int col) const { return at(row, col).root->flags_o; }
std::uint64_t TileGrid::debug(int row, int col) const { return at(row, col).root->dbg_o; }

}  // namespace weft
