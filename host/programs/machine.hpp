/// The wafer of a session, whose work can be interrupted and whose hangs are reported.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "host/programs/backend.hpp"
#include "host/programs/board.hpp"
#include "sw/deadlock/report.hpp"
#include "verif/wafer.hpp"

namespace weft::programs {

class Machine {
 public:
  /// `shape.sram_kib` may be 0: the board's, 48 on a simulated wafer.
  Machine(machine::WaferShape shape, const Backend& backend);
  explicit Machine(Board board) : board_(std::move(board)), wafer_(&board_->wafer()) {}

  Wafer& wafer() { return *wafer_; }
  const Wafer& wafer() const { return *wafer_; }
  bool on_board() const { return board_.has_value(); }

  /// Asked from time to time while messages are sent and the wafer runs; `sent`: messages so far. True ends the work.
  using Ask = std::function<bool(std::size_t sent)>;

  /// Sends messages and runs until all tiles rest. `what`: subject of errors; `programs`: for reports. Returns false if
  /// `ask` returned true; the functional model asks between messages, and between the work of two tiles. Throws Stopped
  /// if the wafer hangs, and Refusal if the functional model rejects the program or the board is lost.
  bool run(std::span<const machine::Message> messages, const std::string& what, const deadlock::Programs& programs,
           const Ask& ask = {});
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
