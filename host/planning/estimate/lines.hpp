/// Lines of a descriptor as a valve sends them: the destination of each message, line by line.
#pragma once

#include <cstdint>
#include <vector>

#include "sw/compiler/stream/stream_descriptor.hpp"

namespace weft::planning {

class StreamLines {
 public:
  /// `descriptor` must outlive this object.
  explicit StreamLines(const compiler::StreamDescriptor& descriptor);

  /// Advances to the next line, initially to the first. Returns false at the end.
  bool next();
  /// Destination rows of the line's messages, in sending order. A CR follows them.
  const std::vector<std::uint16_t>& rows() const { return rows_; }
  /// Number of each message's output among the outputs that share the line.
  const std::vector<std::uint8_t>& sums() const { return sums_; }
  /// Slot of the line's first output.
  int slot() const { return reader_.place().slot; }
  int home() const { return reader_.home(); }

  /// Number of lines of a descriptor.
  static std::size_t count(const compiler::StreamDescriptor& descriptor);

 private:
  void take_turns();

  compiler::StreamReader reader_;
  std::vector<std::size_t> counts_;                 // [row]: messages of the line
  std::vector<std::vector<std::uint8_t>> numbers_;  // [row]: their outputs' numbers
  std::vector<compiler::Element> elements_;
  std::vector<std::uint16_t> rows_;
  std::vector<std::uint8_t> sums_;
  std::vector<unsigned> sent_;  // [row]
  unsigned each_;
};

/// Number of outputs or slots that share a line: 1, or a whole group.
int outputs_of_line(const compiler::StreamDescriptor& descriptor);

/// Number of outputs at home in each row; if outputs are interleaved, the number of their groups.
std::vector<int> homes_of(const compiler::StreamDescriptor& descriptor);

}  // namespace weft::planning
