/// Boards as wafers of a program's own (docs/reference/programs.md, Boards).
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "host/board/link/line.hpp"
#include "sw/machine/shape.hpp"
#include "verif/wafer.hpp"

namespace weft::programs {

/// The user asked to end a run while the host waited for a board.
struct Interrupted {};

/// A board, and the question whether the user wants its current run to end.
class Board {
 public:
  /// `asked`: rows, columns and lanes must be the board's, `sram_kib` at most the board's, or 0 for the board's.
  /// `needs`: kept while the board is used. Throws Refusal of `backend` for a board that does not fit, or whose routers
  /// have the turns of training alone.
  Board(std::unique_ptr<board::Line> line, std::shared_ptr<void> needs, const machine::WaferShape& asked);
  /// Opens the device: emulated, emulated:udp, udp:ADDRESS[:PORT], or a path. `baud`: of a serial line.
  static Board open(const std::string& device, int baud, const machine::WaferShape& asked);

  Wafer& wafer() { return *wafer_; }
  /// From now on waits for the board throw Interrupted when `interrupted` returns true; empty: they do not.
  void ask(std::function<bool()> interrupted);

 private:
  class Asking;
  Asking* line_;  // of the wafer
  std::unique_ptr<Wafer> wafer_;
};

/// True if `backend` names a board.
bool is_board(const std::string& backend);

}  // namespace weft::programs
