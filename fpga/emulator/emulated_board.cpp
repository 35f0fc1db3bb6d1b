#include "fpga/emulator/emulated_board.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "Vweft_emulated_board.h"
#include "Vweft_emulated_board___024root.h"
#include "fpga/emulator/ethernet_frame.hpp"

namespace weft::emulator {
namespace {

std::unique_ptr<VerilatedContext> make_context() {
  auto context = std::make_unique<VerilatedContext>();
  context->threads(1);  // otherwise it starts a pool of threads
  return context;
}

constexpr std::size_t kPreamble = 8;
constexpr int kGap = 12;      // cycles between frames
constexpr int kSettle = 128;  // until weft_line_watch.sv releases the line, with weft_emulated_board.sv's SettleBits

// As in weft_ethernet.sv.
constexpr EthernetAddress kBoard{.mac = {2, 0x57, 0x45, 0x46, 0x54, 1}, .ip = {192, 168, 1, 50}, .port = 4177};

/// Each sender has a network card with its own addresses.
EthernetAddress address_of(int sender) {
  const auto high = static_cast<std::uint8_t>(sender >> 8), low = static_cast<std::uint8_t>(sender);
  return {.mac = {2, 0, 0, 0, high, low}, .ip = {10, 0, high, low}, .port = static_cast<std::uint16_t>(~sender)};
}

}  // namespace

EmulatedBoard::EmulatedBoard(Line line, int divider)
    : context_(make_context()),
      top_(std::make_unique<Vweft_emulated_board>(context_.get(), "board")),
      line_(line),
      divider_(divider) {
  top_->ethernet_i = line == Line::Packets;
  top_->divider_i = static_cast<SData>(divider);
  top_->rx_i = 1;
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
  packet_.clear();
  gap_ = kSettle;  // a frame that arrives earlier would be lost
  in_left_ = 0;
  idle_ = 0;
}

void EmulatedBoard::send(Piece piece) {
  if (line_ == Line::Packets) {
    if (piece.bytes.size() > kMostPayload) return;  // it would be fragmented, and the board drops fragments
    const std::vector<std::uint8_t> frame = pack({address_of(piece.from), kBoard, std::move(piece.bytes)});
    piece.bytes.assign(kPreamble, 0x55);
    piece.bytes.back() = 0xd5;
    piece.bytes.insert(piece.bytes.end(), frame.begin(), frame.end());
  }
  queued_ += piece.bytes.size();
  if (!piece.bytes.empty()) down_.push_back(std::move(piece));
}

std::vector<Piece> EmulatedBoard::take() { return std::exchange(up_, {}); }

bool EmulatedBoard::session() const { return top_->session_o; }

void EmulatedBoard::missed(std::uint64_t ticks) {
  auto& silence = top_->rootp->weft_emulated_board__DOT__i_board__DOT__i_link__DOT__i_session__DOT__silence_q;
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
  top_->gmii_valid_i = !down_.empty() && gap_ == 0;
  if (gap_ > 0) --gap_;
  if (!top_->gmii_valid_i) return;
  const std::vector<std::uint8_t>& bytes = down_.front().bytes;
  top_->gmii_data_i = bytes[at_++];
  if (at_ < bytes.size()) return;
  queued_ -= bytes.size();
  down_.pop_front();
  at_ = 0;
  gap_ = kGap;
}

void EmulatedBoard::look_packets() {
  if (top_->gmii_valid_o)
    packet_.push_back(top_->gmii_data_o);
  else if (!packet_.empty())
    unwrap();
}

void EmulatedBoard::unwrap() {
  std::optional<Datagram> d;
  if (packet_.size() > kPreamble) d = unpack(std::span(packet_).subspan(kPreamble));
  packet_.clear();
  const int to = d ? d->to.ip[2] << 8 | d->to.ip[3] : 0;
  if (!d || d->from != kBoard || d->to != address_of(to))
    throw std::logic_error("the board sent a frame to an address that no host has");
  up_.push_back({std::move(d->payload), to});
}

}  // namespace weft::emulator
