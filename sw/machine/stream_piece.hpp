/// A part of a stream in which not all messages are built: weights and their destinations are stored separately.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sw/machine/data_messages.hpp"
#include "sw/machine/message.hpp"

namespace weft::machine {

/// Does not own the data that runs point to.
struct StreamPiece {
  /// The data messages destinations[k] | values[k]. They are sent after the first `after` of `messages`.
  struct Run {
    std::size_t after = 0;
    std::span<const std::uint32_t> destinations;  ///< {index:16, 0:16}
    const std::uint16_t* values = nullptr;        ///< null: none; the messages are the destinations
  };
  std::vector<Message> messages;
  std::vector<Run> runs;  ///< in order

  std::size_t size() const {
    std::size_t size = messages.size();
    for (const Run& run : runs) size += run.destinations.size();
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
      until(run.after);
      append_data(run.destinations, run.values, all);
    }
    until(messages.size());
  }
};

}  // namespace weft::machine
