/// The wafer of a session, whose work can be interrupted and whose hangs are reported.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "host/programs/board.hpp"
#include "sw/deadlock/report.hpp"
#include "verif/wafer.hpp"

namespace weft::programs {

class Machine {
 public:
  /// `backend`: model, rtl, or a board (Board::open). `shape.sram_kib` may be 0: the board's, 48 on a simulated wafer.
  Machine(machine::WaferShape shape, const std::string& backend, int threads, int baud);
  explicit Machine(Board board) : board_(std::move(board)), wafer_(&board_->wafer()) {}

  Wafer& wafer() { return *wafer_; }
  const Wafer& wafer() const { return *wafer_; }
  bool on_board() const { return board_.has_value(); }

  /// Sends messages and runs until all tiles rest. `what`: subject of errors; `programs`: for
  /// reports.
  /// Returns false if `interrupted` returned true. Throws Stopped if the wafer hangs, and Refusal if the functional
  /// model rejects the program or the board is lost.
  bool run(std::span<const machine::Message> messages, const std::string& what, const deadlock::Programs& programs,
           const std::function<bool()>& interrupted = {});
  // As those of Wafer, but throw Refusal if the board is lost.
  void reset();
  std::string flags() const;
  WaferCounters counters() const;

 private:
  std::optional<Board> board_;
  std::unique_ptr<Wafer> simulated_;
  Wafer* wafer_;
};

}  // namespace weft::programs
