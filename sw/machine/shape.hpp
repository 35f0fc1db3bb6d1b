/// Properties of a wafer that a program and its compiler depend on.
#pragma once

#include "isa_machine.hpp"

namespace weft::machine {

/// The machine, as programs see it.
struct WaferShape {
  int rows = 4;                    ///< 1..kMostRows; of a group
  int cols = 4;                    ///< 1..kMostCols
  int lanes = 4;                   ///< bf16 multiply-adds per beat: 2, 4, 8 or 16
  int sram_kib = 48;               ///< per PE, 1..128
  int valves = 1;                  ///< valves, 1..rows; of a group
  int colors = isa::kWaferColors;  ///< physically built, 1..32
  bool general = false;            ///< general tiles: with every optional part (docs/reference/general_tile.md)
  bool turns = true;               ///< routers have the turns of a W that turns around; routers of boards do not
  // Choices of the compiler; a machine supports all of them:
  int psum_cycles = 2;       ///< cycles of a partial sum, 4 or 2
  int sequence_columns = 1;  ///< neighbouring columns that share a sequence; 0: as few as fit
  int row_groups = 1;        ///< groups of `rows` rows each, with a stream in common (docs/explanation/row_groups.md)

  /// Rows of all groups.
  int all_rows() const { return rows * row_groups; }

  /// Number of colors that programs use: EAST is used if a sequence lies over several columns.
  int colors_used() const { return sequence_columns > 1 ? isa::kWaferColors : isa::kColors; }

  /// SELECT has room for 4,095 of each; with more rows a weight's index would have less than 6 bits for a slot.
  static constexpr int kMostRows = 1024, kMostCols = 1024;
  static constexpr int kRDepth = isa::kRDepth;
  static constexpr int kIDepth = isa::kIDepth;
  /// Right shift that turns a weight's index into its row (docs/reference/message.md).
  int row_shift() const {
    int bits = 0;
    while ((1 << bits) < rows) ++bits;
    return 16 - bits;
  }
  int sram_elements() const { return sram_kib * 512; }
  /// W passes all tiles of a row first and reaches them on its way back, the last column first
  /// (docs/reference/message.md).
  bool w_turns() const { return turns && cols >= kColsToTurn; }
  static constexpr int kColsToTurn = 5;
  /// SELECTs after the turn: more than can wait between a router and its PE, with links of at most 64 messages.
  static constexpr int kSelectsBehindTurn = 160;

  friend bool operator==(const WaferShape&, const WaferShape&) = default;
};

}  // namespace weft::machine
