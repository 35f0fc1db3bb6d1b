/// Values that differ between lockstep columns: IDX, and registers of main loaded for IDX.
///
/// IDX is only the number that a vf compares with, so columns that differ in it stay in lockstep. Code that reads such
/// a register for another purpose must first check that all columns agree (settle).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace weft::model {

/// A scalar that lockstep columns loaded or received: it must be the same in all of them.
struct Scalar {
  std::uint16_t pc;
  int address;  ///< address of a ld; -1: a word taken by rcv
  std::uint16_t value;
  bool operator==(const Scalar&) const = default;
};

class PerColumn {
 public:
  struct Values {
    Scalar loaded = {};  ///< origin of the values; its value is the first column's
    std::vector<std::uint16_t> of_column;
  };

  /// Bit mask of registers that have per-column values.
  std::uint32_t registers() const { return registers_; }
  bool has(int reg) const { return registers_ >> reg & 1; }
  Values& operator[](int reg) { return values_[static_cast<std::size_t>(reg)]; }
  const Values& operator[](int reg) const { return values_[static_cast<std::size_t>(reg)]; }
  void keep(int reg) { registers_ |= 1u << reg; }
  void drop(std::uint32_t registers) { registers_ &= ~registers; }

  bool has_idx() const { return has_idx_; }
  const Values& idx() const { return idx_; }
  /// Copies a register's per-column values to IDX. `lanes`: elements of a column in a beat.
  void to_idx(int reg, int lanes);
  void drop_idx() { has_idx_ = false; }
  /// Copies the values of a column to its own registers.
  void copy_to(int col, std::array<std::uint16_t, 16>& r, std::array<std::uint16_t, 16>& csr) const;
  /// IDX for each element of a beat, padded for full vector loads.
  const std::uint16_t* beat() const { return beat_.data(); }

 private:
  std::array<Values, 16> values_;
  Values idx_;
  std::vector<std::uint16_t> beat_;
  std::uint32_t registers_ = 0;
  bool has_idx_ = false;
};

}  // namespace weft::model
