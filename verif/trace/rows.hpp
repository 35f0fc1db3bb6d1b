/// What a viewer shows, row by row.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weft {

/// How a signal's values become words.
enum class RowKind : std::uint8_t { Message, Bf16, Fp32, Flags, Named, Text, Hex, Number };

struct Row {
  std::string signal;  ///< its full name in the trace
  RowKind kind = RowKind::Hex;
  int hue = 0;             ///< of GTKWave's seven; 0: its own
  std::string label;       ///< instead of the name; empty: the name
  std::string words = {};  ///< the signal that has the same as texts; empty: none
};

struct RowGroup {
  std::string name;
  std::vector<Row> rows;
  std::vector<RowGroup> groups = {};
};

}  // namespace weft
