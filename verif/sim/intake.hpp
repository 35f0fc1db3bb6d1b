/// The host's side of the valves: a queue of messages for each stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "verif/wafer.hpp"

namespace weft::sim {

/// A message in the 38-bit format of a link (rtl/weft_pkg.sv, msg_t).
constexpr std::uint64_t link_bits(const machine::Message& m) { return std::uint64_t{m.ctrl} << 37 | m.data; }

/// A message in a queue: the link's 38 bits, and above them the number of the group of rows that it is for, plus one;
/// 0: for all groups.
constexpr std::uint64_t queued(std::uint64_t link_bits, int group) {
  return static_cast<std::uint64_t>(group + 1) << 38 | link_bits;
}
constexpr int kAllGroups = -1;
constexpr int group_of(std::uint64_t word) { return static_cast<int>(word >> 38) - 1; }
constexpr bool is_for(std::uint64_t word, int group) { return group_of(word) == kAllGroups || group_of(word) == group; }

/// A FIFO; its memory is reused when it runs empty.
class IntakeQueue {
 public:
  bool empty() const { return head_ == words_.size(); }
  std::uint64_t front() const { return words_[head_]; }
  /// The i-th message from the front.
  std::uint64_t next(std::size_t i) const { return words_[head_ + i]; }
  void push(std::uint64_t word) { words_.push_back(word); }
  void pop() {
    if (++head_ == words_.size()) {
      words_.clear();
      head_ = 0;
    }
  }
  std::size_t size() const { return words_.size() - head_; }

 private:
  std::vector<std::uint64_t> words_;
  std::size_t head_ = 0;
};

/// Distributes one stream of messages to the valves of a group: a command to every valve, a weight to the valve that
/// feeds its row. The other groups' valves take the same queues' messages.
class Intake {
 public:
  explicit Intake(const machine::WaferShape& shape);

  /// `group`: the messages, all commands, are for this group of rows only.
  void push(std::span<const machine::Message> messages, int group = kAllGroups);
  /// Every valve has a message.
  bool all_busy() const;
  /// No valve has a message.
  bool empty() const;

  int valves() const { return static_cast<int>(queues_.size()); }
  /// The first row that valve v feeds; v = valves() gives the number of rows.
  int first_row(int v) const { return v * rows_ / valves(); }
  IntakeQueue& operator[](int valve) { return queues_[static_cast<std::size_t>(valve)]; }
  const IntakeQueue& operator[](int valve) const { return queues_[static_cast<std::size_t>(valve)]; }

 private:
  int rows_, shift_;
  std::vector<IntakeQueue> queues_;
  std::vector<int> valve_of_;  // [row], padded to a power of two; nonexistent rows map to the last valve
};

}  // namespace weft::sim
