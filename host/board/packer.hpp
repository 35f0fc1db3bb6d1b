/// Messages to records (docs/board_link.md, Down).
///
/// It knows nothing of programs. An *output* is data messages up to a carriage return. Neighbouring outputs that differ
/// in their values, and in one index at most, become one RUN; it names its indices by where the board's index memory
/// has them, of which the packer keeps a copy.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "host/board/bytes.hpp"
#include "sw/machine/message.hpp"

namespace weft::board {

enum class Record : std::uint8_t { Messages = 1, Indices = 2, Run = 3 };
inline constexpr std::uint8_t kRunValues = 1, kRunMoving = 2, kRunReturn = 4, kRunMovingValues = 8;

/// A copy of the board's index memory, a ring.
class IndexMemory {
 public:
  explicit IndexMemory(std::size_t entries) : entries_(entries), memory_(2 * entries, kUnknown) {}
  std::size_t entries() const { return entries_; }
  /// Where it has this list; it wraps.
  std::optional<std::uint16_t> find(std::span<const std::uint16_t> list) const;
  /// Overwrites the oldest; returns where. At most `entries`.
  std::uint16_t write(std::span<const std::uint16_t> list);
  void forget();

 private:
  static constexpr std::uint32_t kUnknown = 0xFFFFFFFF;
  bool has(std::size_t at, std::span<const std::uint16_t> list) const;

  std::size_t entries_;
  std::vector<std::uint32_t> memory_;  // twice, so that no list wraps
  std::size_t next_ = 0;
  mutable std::size_t last_ = 0;  // found there
};

class Packer {
 public:
  /// `entries`: of the board's index memory.
  explicit Packer(std::size_t entries) : memory_(entries) {}

  /// Appends records for `messages`. The last of them may stay here, as what follows may join them.
  void put(std::span<const Message> messages, Bytes& out);
  /// Appends what has stayed.
  void flush(Bytes& out);
  /// What the board's index memory has is not known any more.
  void forget() { memory_.forget(); }

 private:
  /// Outputs that may become a RUN.
  struct Run {
    std::vector<std::uint16_t> indices;  // of the first output
    std::vector<std::uint16_t> values;   // of all outputs, one after the other
    std::size_t times = 0;               // outputs
    bool returns = false;                // each ends with a carriage return
    bool same = true, moving = true;     // what it can be: all indices the same; the last one alone moves
    bool constant = true;                // values of the last one
    std::uint16_t step = 0;              // of the one that moves
  };
  struct Form {
    bool moving = false, values = false, moving_values = false;
    std::size_t count = 0;  // of indices in the memory
    std::size_t bytes = 0;
  };

  void end_output(bool returns, Bytes& out);
  bool join(bool returns);
  void close(Bytes& out);
  Form form(bool moving) const;
  void emit_run(const Form& form, Bytes& out);
  void literal(const Message& message, Bytes& out);
  void emit_literals(Bytes& out);

  IndexMemory memory_;
  std::vector<std::uint16_t> indices_, values_;  // of the output that is not at its end
  std::optional<Run> run_;
  std::vector<Message> literals_;  // before run_
};

}  // namespace weft::board
