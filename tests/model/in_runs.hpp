/// A stream of messages as a piece whose weights are partly stored apart from their receivers, as MemoryX sends them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sw/machine/stream_piece.hpp"

namespace weft::model {

struct InRuns {
  /// `upto(n)`: a random number from 1 to n.
  template <class Upto>
  InRuns(const std::vector<machine::Message>& stream, Upto upto) : destinations(stream.size()), values(stream.size()) {
    for (std::size_t k = 0; k < stream.size();) {
      std::size_t end = k;
      for (const std::size_t most = k + upto(3000); end < stream.size() && !stream[end].ctrl && end < most; ++end) {
        destinations[end] = stream[end].data & 0xffff0000;
        values[end] = static_cast<std::uint16_t>(stream[end].data);
      }
      if (end > k && upto(4) > 1) {
        piece.runs.push_back({piece.messages.size(), std::span(destinations).subspan(k, end - k), &values[k]});
        k = end;
      } else {
        piece.messages.push_back(stream[k++]);
      }
    }
  }
  InRuns(const InRuns&) = delete;

  std::vector<std::uint32_t> destinations;
  std::vector<std::uint16_t> values;
  machine::StreamPiece piece;  ///< refers to the two above
};

}  // namespace weft::model
