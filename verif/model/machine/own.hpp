/// Values that each column in step has of its own: in IDX, and in registers of main that were loaded for it.
///
/// IDX says with which number a vf compares, and nothing else, so columns that differ in it stay in step. Whoever reads
/// such a register for anything else has to know that all have the same (settle).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace weft::model {

/// A scalar that columns in step brought: the same in all of them, or they would not stay in step.
struct Scalar {
  std::uint16_t pc;
  int address;  ///< of ld; -1: a word that rcv took
  std::uint16_t value;
  bool operator==(const Scalar&) const = default;
};

class Own {
 public:
  struct Values {
    Scalar loaded = {};  ///< how; the value is the first column's
    std::vector<std::uint16_t> of_column;
  };

  /// A bit for each register that has such values.
  std::uint32_t registers() const { return registers_; }
  bool has(int reg) const { return registers_ >> reg & 1; }
  Values& operator[](int reg) { return values_[static_cast<std::size_t>(reg)]; }
  const Values& operator[](int reg) const { return values_[static_cast<std::size_t>(reg)]; }
  void keep(int reg) { registers_ |= 1u << reg; }
  void drop(std::uint32_t registers) { registers_ &= ~registers; }

  bool has_idx() const { return has_idx_; }
  const Values& idx() const { return idx_; }
  /// IDX becomes a register's. `lanes`: elements of a column in a beat.
  void to_idx(int reg, int lanes);
  void drop_idx() { has_idx_ = false; }
  /// Those of a column, into its own registers.
  void put(int col, std::array<std::uint16_t, 16>& r, std::array<std::uint16_t, 16>& csr) const;
  /// IDX for each element of a beat, and for as many more as a vector reads.
  const std::uint16_t* beat() const { return beat_.data(); }

 private:
  std::array<Values, 16> values_;
  Values idx_;
  std::vector<std::uint16_t> beat_;
  std::uint32_t registers_ = 0;
  bool has_idx_ = false;
};

}  // namespace weft::model
