/// The lines of a sweep as a valve sees them: where each message goes, one line at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "sw/compiler/sweep.hpp"

namespace weft {

class SweepLines {
 public:
  /// `sweep` must outlive this.
  explicit SweepLines(const Sweep& sweep) : reader_(sweep) {}

  /// Goes to the next line, at first to the first; false behind the last.
  bool next();
  /// Rows of its messages, in the order they are sent; a CR follows.
  const std::vector<std::uint16_t>& rows() const { return rows_; }

  /// How many a sweep has.
  static std::size_t count(const Sweep& sweep);

 private:
  SweepReader reader_;
  std::vector<Tap> taps_;
  std::vector<std::uint16_t> rows_;
};

/// Outputs at home in each row.
std::vector<int> homes_of(const Sweep& sweep);

}  // namespace weft
