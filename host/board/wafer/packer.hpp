/// Packs messages into records (docs/reference/board_link.md, Down).
///
/// Independent of programs. An *output* is data messages up to a carriage return. Adjacent outputs that differ only in
/// their values, and in one index at most, become one RUN. A RUN refers to its indices by their position in the board's
/// index memory, of which the packer keeps a copy.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "host/board/link/bytes.hpp"
#include "sw/machine/message.hpp"

namespace weft::board {

enum class Record : std::uint8_t { Messages = 1, Indices = 2, Run = 3 };
inline constexpr std::uint8_t kRunValues = 1, kRunMoving = 2, kRunReturn = 4, kRunMovingValues = 8;

/// Copy of the board's index memory, a ring.
class IndexMemory {
 public:
  explicit IndexMemory(std::size_t entries) : entries_(entries), memory_(2 * entries, kUnknown) {}
  std::size_t entries() const { return entries_; }
  /// Position of this list, which may wrap around the end.
  std::optional<std::uint16_t> find(std::span<const std::uint16_t> list) const;
  /// Overwrites the oldest entries and returns the position. At most `entries` indices.
  std::uint16_t write(std::span<const std::uint16_t> list);
  void forget();

 private:
  static constexpr std::uint32_t kUnknown = 0xFFFFFFFF;
  bool has(std::size_t at, std::span<const std::uint16_t> list) const;

  std::size_t entries_;
  std::vector<std::uint32_t> memory_;  // stored twice, so that no list wraps
  std::size_t next_ = 0;
  mutable std::size_t last_ = 0;  // position of the last hit
};

class Packer {
 public:
  /// `entries`: size of the board's index memory.
  explicit Packer(std::size_t entries) : memory_(entries) {}

  /// Appends records for `messages`. The last messages may be held back, because following ones may join their run.
  void pack(std::span<const machine::Message> messages, Bytes& out);
  /// Appends the messages held back.
  void flush(Bytes& out);
  /// Call when the contents of the board's index memory have become unknown.
  void forget() { memory_.forget(); }

 private:
  /// Outputs that may become a RUN.
  struct Run {
    std::vector<std::uint16_t> indices;  // indices of the first output
    std::vector<std::uint16_t> values;   // values of all outputs, consecutively
    std::size_t times = 0;               // number of outputs
    bool returns = false;                // each ends with a carriage return
    bool same = true, moving = true;     // possible forms: all indices equal; only the last one moves
    bool constant = true;                // the last one's values are all equal
    std::uint16_t step = 0;              // step of the moving index
  };
  struct Form {
    bool moving = false, values = false, moving_values = false;
    std::size_t count = 0;  // indices in the memory
    std::size_t bytes = 0;
  };

  void end_output(bool returns, Bytes& out);
  bool join(bool returns);
  void close(Bytes& out);
  Form form(bool moving) const;
  void emit_run(const Form& form, Bytes& out);
  void literal(const machine::Message& message, Bytes& out);
  void emit_literals(Bytes& out);

  IndexMemory memory_;
  std::vector<std::uint16_t> indices_, values_;  // entries of the incomplete output
  std::optional<Run> run_;
  std::vector<machine::Message> literals_;  // messages before run_
};

}  // namespace weft::board
