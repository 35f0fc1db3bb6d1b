/// A reference expander, from records to messages, byte by byte, as docs/reference/board_link.md specifies; the packer
/// is tested against it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sw/machine/message.hpp"

namespace weft::board {

class Expander {
 public:
  explicit Expander(std::size_t entries) : memory_(entries) {}

  void expand(std::span<const std::uint8_t> bytes, std::vector<machine::Message>& out) {
    for (const std::uint8_t byte : bytes) expand(byte, out);
  }
  /// True within a record.
  bool busy() const { return record_ != 0; }
  bool fault() const { return fault_; }
  /// Begins a session; the index memory keeps its content.
  void begin() { record_ = 0, fault_ = false, head_.clear(); }

 private:
  void expand(std::uint8_t byte, std::vector<machine::Message>& out) {
    if (fault_) return;
    if (record_ == 0) {
      record_ = byte;
      head_.clear();
      unit_.clear();
      fault_ = byte < 1 || byte > 3;
      return;
    }
    const std::size_t size = record_ == 1 ? 2 : record_ == 2 ? 4 : 13;
    if (head_.size() < size) {
      head_.push_back(byte);
      if (head_.size() == size) begin_body(out);
      return;
    }
    unit_.push_back(byte);
    if (unit_.size() < (record_ == 1 ? 5U : 2U)) return;
    if (record_ == 1) {
      out.push_back({unit_[1] | unit_[2] << 8 | unit_[3] << 16 | static_cast<std::uint32_t>(unit_[4]) << 24,
                     (unit_[0] & 1) != 0});
    } else if (record_ == 2) {
      memory_[at_++ % memory_.size()] = static_cast<std::uint16_t>(unit_[0] | unit_[1] << 8);
    } else {
      value(static_cast<std::uint16_t>(unit_[0] | unit_[1] << 8), out);
    }
    unit_.clear();
    if (--left_ == 0) record_ = 0;
  }

  std::uint16_t number(std::size_t at) const { return static_cast<std::uint16_t>(head_[at] | head_[at + 1] << 8); }

  void begin_body(std::vector<machine::Message>& out) {
    column_ = 0;
    if (record_ == 1) {
      left_ = number(0);
    } else if (record_ == 2) {
      at_ = number(0);
      left_ = number(2);
    } else {
      at_ = number(0), count_ = number(2), times_ = number(4), what_ = head_[6];
      index_ = number(7), value_ = number(9), step_ = number(11);
      left_ = ((what_ & 1) != 0 ? std::uint64_t{count_} * times_ : 0) + (moves_by_stream() ? times_ : 0);
      go_on(out);
    }
    if (left_ == 0) record_ = 0;
  }
  bool moves_by_stream() const { return (what_ & 10) == 10; }

  /// Emits all messages that need no further value.
  void go_on(std::vector<machine::Message>& out) {
    while (times_ > 0) {
      while (column_ < count_ && (what_ & 1) == 0) weight(0, out);
      if (column_ < count_ || moves_by_stream()) return;
      end_output(out);
    }
  }
  void value(std::uint16_t value, std::vector<machine::Message>& out) {
    if (column_ < count_) {
      weight(value, out);
    } else {
      value_ = value;
      end_output(out);
    }
    go_on(out);
  }
  void weight(std::uint16_t value, std::vector<machine::Message>& out) {
    out.push_back(machine::Message::weight(memory_[(at_ + column_++) % memory_.size()], value));
  }
  void end_output(std::vector<machine::Message>& out) {
    column_ = 0, --times_;
    if ((what_ & 2) != 0) {
      out.push_back(machine::Message::weight(index_, value_));
      index_ = static_cast<std::uint16_t>(index_ + step_);
    }
    if ((what_ & 4) != 0) out.push_back(machine::Message::command(machine::Command::CR, 0, 0));
  }

  std::vector<std::uint16_t> memory_;
  std::uint8_t record_ = 0;  // 0: none
  bool fault_ = false;
  std::vector<std::uint8_t> head_, unit_;
  std::uint64_t left_ = 0;  // remaining units of the body
  std::size_t at_ = 0;
  unsigned count_ = 0, times_ = 0, what_ = 0, column_ = 0;
  std::uint16_t index_ = 0, value_ = 0, step_ = 0;
};

}  // namespace weft::board
