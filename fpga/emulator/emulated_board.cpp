#include "fpga/emulator/emulated_board.hpp"

#include <algorithm>
#include <utility>

#include "Vemulated_board.h"
#include "Vemulated_board___024root.h"

namespace weft {
namespace {

std::unique_ptr<VerilatedContext> make_context() {
  auto context = std::make_unique<VerilatedContext>();
  context->threads(1);  // or it starts a pool of them
  return context;
}

}  // namespace

EmulatedBoard::EmulatedBoard(Line line, int divider)
    : context_(make_context()),
      top_(std::make_unique<Vemulated_board>(context_.get(), "board")),
      line_(line),
      divider_(divider) {
  top_->packets_i = line == Line::Packets;
  top_->divider_i = static_cast<SData>(divider);
  top_->rx_i = 1;
  top_->tx_ready_i = 1;
  power_up();
}

EmulatedBoard::~EmulatedBoard() { Verilated::threadContextp(context_.get()); }

void EmulatedBoard::power_up() {
  top_->rst_i = 1;
  for (int i = 0; i < 2; ++i) {
    top_->clk_i = top_->wafer_clk_i = 0;
    top_->eval();
    top_->clk_i = top_->wafer_clk_i = 1;
    top_->eval();
  }
  top_->rst_i = 0;
  host_ = -1;
  packet_.clear();
  in_left_ = 0;
  idle_ = 0;
}

void EmulatedBoard::send(Piece piece) {
  queued_ += piece.bytes.size();
  if (!piece.bytes.empty()) down_.push_back(std::move(piece));
}

std::vector<Piece> EmulatedBoard::take() { return std::exchange(up_, {}); }

bool EmulatedBoard::session() const { return top_->session_o; }

void EmulatedBoard::missed(std::uint64_t ticks) {
  auto& silence = top_->rootp->emulated_board__DOT__i_board__DOT__i_link__DOT__i_session__DOT__silence_q;
  silence = static_cast<SData>(std::min<std::uint64_t>(silence + ticks, 2048));  // link's SilenceTicks
}

void EmulatedBoard::cycle() {
  if (line_ == Line::Serial)
    drive_serial();
  else
    drive_packets();
  top_->clk_i = top_->wafer_clk_i = 0;
  top_->eval();
  const bool on = top_->wafer_on_o;
  idle_ = top_->idle_o && down_.empty() && out_left_ == 0 && in_left_ == 0 ? idle_ + 1 : 0;
  if (line_ == Line::Serial)
    look_serial();
  else
    look_packets();
  top_->clk_i = 1;
  top_->wafer_clk_i = on;
  top_->eval();
  ++cycles_;
  wafer_cycles_ += on;
}

void EmulatedBoard::drive_serial() {
  if (out_left_ > 0) {
    if (--out_wait_ > 0) return;
    out_wait_ = divider_;
    out_bits_ >>= 1;
    top_->rx_i = --out_left_ > 0 ? out_bits_ & 1 : 1;
    if (out_left_ > 0) return;
  }
  if (down_.empty()) return;
  out_bits_ = 1u << 9 | static_cast<unsigned>(down_.front().bytes[at_]) << 1;
  out_left_ = 10;
  out_wait_ = divider_;
  top_->rx_i = 0;
  --queued_;
  if (++at_ == down_.front().bytes.size()) {
    down_.pop_front();
    at_ = 0;
  }
}

void EmulatedBoard::look_serial() {
  if (in_left_ == 0) {
    if (top_->tx_o) return;
    in_left_ = 9;
    in_wait_ = divider_ + divider_ / 2;
    in_bits_ = 0;
    return;
  }
  if (--in_wait_ > 0) return;
  in_wait_ = divider_;
  in_bits_ |= static_cast<unsigned>(top_->tx_o) << (9 - in_left_);
  if (--in_left_ > 0) return;
  if (up_.empty()) up_.emplace_back();
  up_.back().bytes.push_back(static_cast<std::uint8_t>(in_bits_));
}

void EmulatedBoard::drive_packets() {
  top_->rx_valid_i = !down_.empty();
  if (down_.empty()) return;
  top_->rx_last_i = at_ == down_.front().bytes.size();
  top_->rx_data_i = top_->rx_last_i ? 0 : down_.front().bytes[at_];
}

void EmulatedBoard::look_packets() {
  if (top_->begun_o) host_ = from_;
  if (top_->rx_valid_i && top_->rx_ready_o) {
    if (top_->rx_last_i) {
      from_ = down_.front().from;
      queued_ -= down_.front().bytes.size();
      down_.pop_front();
      at_ = 0;
    } else {
      ++at_;
    }
  }
  if (!top_->tx_valid_o) return;
  if (!top_->tx_last_o) {
    packet_.push_back(top_->tx_data_o);
  } else if (!packet_.empty()) {
    up_.push_back({std::exchange(packet_, {}), host_});
  }
}

}  // namespace weft
