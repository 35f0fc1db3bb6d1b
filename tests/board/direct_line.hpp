/// A line to a Verilated board in this process, in the board's time: anything outside the simulation takes no time.
#pragma once

#include <deque>

#include "fpga/emulator/damage.hpp"
#include "fpga/emulator/emulated_board.hpp"
#include "host/board/link/line.hpp"

namespace weft::board {

class DirectLine final : public Line {
 public:
  explicit DirectLine(std::shared_ptr<emulator::EmulatedBoard> board, emulator::Damage down = {0, {}},
                      emulator::Damage up = {0, {}})
      : board_(std::move(board)), down_damage_(std::move(down)), up_damage_(std::move(up)) {}

  const std::string& name() const override { return name_; }
  Time now() const override { return Time(std::chrono::hours(1)) + kCycle * board_->cycles() + skipped_; }
  bool ready() const override { return true; }
  void send(std::span<const std::uint8_t> frame) override {
    down_ += frame.size();
    for (emulator::Piece& piece : down_damage_.pass({{frame.begin(), frame.end()}, 1})) board_->send(std::move(piece));
  }
  bool receive(Bytes& frame, Time until) override {
    for (;;) {
      if (!here_.empty()) {
        frame = std::move(here_.front());
        here_.pop_front();
        up_ += frame.size();
        return true;
      }
      if (now() >= until) return false;
      if (board_->idle() > 16 && board_->queued() == 0) {
        skipped_ += until - now();
        return false;
      }
      for (int i = 0; i < 64; ++i) board_->cycle();
      for (emulator::Piece& piece : board_->take())
        for (emulator::Piece& left : up_damage_.pass(std::move(piece))) here_.push_back(std::move(left.bytes));
    }
  }

 private:
  static constexpr std::chrono::nanoseconds kCycle{25};

  std::shared_ptr<emulator::EmulatedBoard> board_;
  emulator::Damage down_damage_, up_damage_;
  std::string name_ = "direct";
  Duration skipped_{};
  std::deque<Bytes> here_;
};

}  // namespace weft::board
