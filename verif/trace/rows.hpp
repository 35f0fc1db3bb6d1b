/// Rows of a waveform viewer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weft::trace {

/// Display format of a signal's values.
enum class RowKind : std::uint8_t { Message, Bf16, Fp32, Flags, Named, Text, Hex, Number };

struct Row {
  std::string signal;  ///< full name in the trace
  RowKind kind = RowKind::Hex;
  int hue = 0;             ///< one of GTKWave's seven colors; 0: default
  std::string label;       ///< shown instead of the name; empty: the name
  std::string words = {};  ///< text signal with the same content; empty: none
};

struct RowGroup {
  std::string name;
  std::vector<Row> rows;
  std::vector<RowGroup> groups = {};
};

}  // namespace weft::trace
