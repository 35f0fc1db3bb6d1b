/// Commands, executed while a PE rests (docs/reference/message.md).
#pragma once

#include <cstdint>
#include <vector>

#include "sw/machine/message.hpp"
#include "sw/machine/state.hpp"
#include "verif/model/machine/machine.hpp"

namespace weft::model {

/// State that commands leave for later commands.
///
/// Lockstep columns keep the load addresses of all columns of their row, including columns of other slices, so that all
/// slices find the same commands impossible in lockstep.
class Commands {
 public:
  explicit Commands(Machine& m);

  /// Executes a command.
  Outcome accept(std::uint32_t word);
  /// Continues in one column from the state of lockstep columns.
  void take_column(const Commands& from);
  /// Inverse of take_column(): takes over column `col` after a reset of both.
  void join_column(const Commands& from, int col);
  /// Restores the state of an independent tile.
  void set_state(const machine::TileState& state);
  /// Selects all tiles, as after a reset. Load addresses stay.
  void reset() { row_selected_ = true, col_selected_ = kAll; }

  bool selected(int col) const { return row_selected_ && (col_selected_ == kAll || col_selected_ == col); }
  int instruction_address() const { return instruction_address_; }
  std::uint16_t low_half() const { return low_half_; }
  std::uint16_t memory_address(int col) const { return memory_address_[static_cast<std::size_t>(col - first_)]; }

 private:
  static constexpr int kAll = machine::Selection::kAll;

  void select(machine::Selection tiles);
  Outcome store(std::uint16_t value);
  Outcome route(std::uint16_t value);
  Outcome done() const { return Outcome::Done; }
  bool one_column() const { return m_.in_lockstep() && col_selected_ != kAll; }

  Machine& m_;
  const int first_;  ///< first column whose load address is known
  bool row_selected_ = true;
  int col_selected_ = kAll;
  int instruction_address_ = 0;
  std::uint16_t low_half_ = 0;
  std::vector<std::uint16_t> memory_address_;  ///< [col - first_]
};

}  // namespace weft::model
