/// A row's W messages: runs of data, each ended by a control message. A run is contiguous in memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sw/machine/message.hpp"
#include "verif/model/machine/aligned.hpp"

namespace weft::model {

class Inbox {
 public:
  /// `row`: inboxes of neighbouring rows, which are filled in turn, begin in different sets of the cache.
  explicit Inbox(int row = 0) : skew_(static_cast<std::size_t>(row) * 17 % 64 * 16) {}

  /// A copy of all messages.
  Inbox copy() const {
    Inbox c;
    c.make_room(end_);
    std::copy_n(words_, end_, c.words_);
    c.marks_ = marks_;
    c.head_ = head_, c.mark_ = mark_, c.end_ = end_, c.mark_end_ = mark_end_, c.taken_ = taken_;
    return c;
  }
  /// Makes room for `data` more data messages; must precede their pushes.
  void make_room(std::size_t data) {
    if (end_ + data <= capacity_) return;
    close_up();
    if (end_ + data <= capacity_) return;
    const std::size_t capacity = 2 * end_ + data;  // memory that stays untouched costs nothing
    AlignedRoom<std::uint32_t> larger(capacity + skew_);
    std::copy_n(words_, end_, larger.data() + skew_);
    data_ = std::move(larger);
    words_ = data_.data() + skew_;
    capacity_ = capacity;
  }
  void push_data(std::uint32_t word) { words_[end_++] = word; }
  /// Bulk push: the caller writes data messages at end(), then passes their end to pushed_to().
  std::uint32_t* end() { return words_ + end_; }
  void pushed_to(const std::uint32_t* end) { end_ = static_cast<std::size_t>(end - words_); }
  void push_control(std::uint32_t word) {
    if (mark_end_ == marks_.size()) marks_.resize(2 * mark_end_ + 64);
    marks_[mark_end_++] = {static_cast<std::uint32_t>(end_), word};
  }

  /// Memory allocated, in bytes.
  std::size_t bytes() const { return capacity_ * sizeof(std::uint32_t) + marks_.capacity() * sizeof marks_[0]; }

  /// Drops everything, as after power-up.
  void clear() { head_ = mark_ = end_ = mark_end_ = taken_ = 0; }

  bool empty() const { return head_ == end_ && mark_ == mark_end_; }
  std::size_t size() const { return end_ - head_ + mark_end_ - mark_; }
  /// The first messages, at most `most`.
  std::vector<machine::Message> first(std::size_t most) const {
    std::vector<machine::Message> messages;
    std::size_t data = head_, mark = mark_;
    while (messages.size() < most && (data < end_ || mark < mark_end_)) {
      const bool control = mark < mark_end_ && marks_[mark].position == data;
      messages.push_back({control ? marks_[mark++].word : words_[data++], control});
    }
    return messages;
  }
  /// The next message is a control message.
  bool control() const { return control_after(0); }
  /// The message after the next n data messages is a control message.
  bool control_after(std::size_t n) const { return mark_ < mark_end_ && marks_[mark_].position == head_ + n; }

  /// The data messages before the next control message. Valid until the next push.
  std::span<const std::uint32_t> run() const {
    const std::size_t end = mark_ < mark_end_ ? marks_[mark_].position : end_;
    return {words_ + head_, end - head_};
  }
  /// The k-th complete run, ended by a control message; k = 0 is run(). Null if the run is still incomplete.
  std::optional<std::span<const std::uint32_t>> run(std::size_t k) const {
    if (mark_ + k >= mark_end_) return std::nullopt;
    const std::size_t begin = k ? marks_[mark_ + k - 1].position : head_;
    return std::span(words_ + begin, marks_[mark_ + k].position - begin);
  }
  /// Number of messages taken.
  std::uint64_t taken() const { return taken_; }
  void drop(std::size_t n) {
    head_ += n;
    taken_ += n;
    reset_if_empty();
  }
  std::uint32_t front_control() const { return marks_[mark_].word; }
  std::uint32_t take_control() {
    const std::uint32_t word = marks_[mark_++].word;
    ++taken_;
    reset_if_empty();
    return word;
  }

 private:
  struct Mark {
    std::uint32_t position;
    std::uint32_t word;
  };

  /// Moves waiting messages to the beginning, because a long stream may never leave the inbox empty.
  void close_up() {
    if (mark_) std::copy(marks_.begin() + at(mark_), marks_.begin() + at(mark_end_), marks_.begin());
    mark_end_ -= std::exchange(mark_, 0);
    if (!head_) return;
    std::copy(words_ + head_, words_ + end_, words_);
    for (std::size_t i = 0; i < mark_end_; ++i) marks_[i].position -= static_cast<std::uint32_t>(head_);
    end_ -= std::exchange(head_, 0);
  }
  static std::ptrdiff_t at(std::size_t place) { return static_cast<std::ptrdiff_t>(place); }

  void reset_if_empty() {
    if (empty()) head_ = mark_ = end_ = mark_end_ = 0;
  }

  AlignedRoom<std::uint32_t> data_;
  std::size_t skew_;                ///< words in front of the first
  std::uint32_t* words_ = nullptr;  ///< behind them; [head_, end_) are waiting
  std::size_t capacity_ = 0;
  std::vector<Mark> marks_;  ///< [mark_, mark_end_) are waiting
  std::size_t head_ = 0, mark_ = 0, end_ = 0, mark_end_ = 0;
  std::uint64_t taken_ = 0;
};

}  // namespace weft::model
