/// Lines of a sweep as a valve sends them: the destination of each message, line by line.
#pragma once

#include <cstdint>
#include <vector>

#include "sw/compiler/stream/stream_descriptor.hpp"

namespace weft {

class SweepLines {
 public:
  /// `sweep` must outlive this object.
  explicit SweepLines(const Sweep& sweep) : reader_(sweep) {}

  /// Advances to the next line, initially to the first. Returns false at the end.
  bool next();
  /// Destination rows of the line's messages, in sending order. A CR follows them.
  const std::vector<std::uint16_t>& rows() const { return rows_; }

  /// Number of lines of a sweep.
  static std::size_t count(const Sweep& sweep);

 private:
  SweepReader reader_;
  std::vector<Tap> taps_;
  std::vector<std::uint16_t> rows_;
};

/// Number of outputs at home in each row.
std::vector<int> homes_of(const Sweep& sweep);

}  // namespace weft
