/// A part of a stream in which not all messages are built: weights and their destinations are stored separately.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sw/machine/data_messages.hpp"
#include "sw/machine/message.hpp"

namespace weft {

/// Does not own the data that runs point to.
struct StreamPiece {
  /// The data messages heads[k] | values[k] (no values: heads[k]), after the first `behind` of `messages`.
  struct Run {
    std::size_t behind = 0;
    std::span<const std::uint32_t> heads;
    const std::uint16_t* values = nullptr;
  };
  std::vector<Message> messages;
  std::vector<Run> runs;  ///< in order

  std::size_t size() const {
    std::size_t size = messages.size();
    for (const Run& run : runs) size += run.heads.size();
    return size;
  }
  bool empty() const { return messages.empty() && runs.empty(); }
  void clear() {
    messages.clear();
    runs.clear();
  }

  /// Replaces `all` by all messages of the piece.
  void make(std::vector<Message>& all) const {
    all.clear();
    all.reserve(size());
    std::size_t at = 0;
    const auto until = [&](std::size_t end) {
      all.insert(all.end(), messages.begin() + static_cast<std::ptrdiff_t>(at),
                 messages.begin() + static_cast<std::ptrdiff_t>(end));
      at = end;
    };
    for (const Run& run : runs) {
      until(run.behind);
      append_data(run.heads, run.values, all);
    }
    until(messages.size());
  }
};

}  // namespace weft
