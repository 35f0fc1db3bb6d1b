/// A row's W messages: runs of data, each run ended by a control message, so that a run lies in one piece.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sw/machine/message.hpp"

namespace weft::model {

class Inbox {
 public:
  /// Room for so many more data messages: before they are pushed.
  void make_room(std::size_t data) {
    if (end_ + data <= data_.size()) return;
    close_up();
    if (end_ + data > data_.size()) data_.resize(end_ + data);
  }
  void push_data(std::uint32_t word) { data_[end_++] = word; }
  /// Where the next data messages go, for who pushes many: then says where they end.
  std::uint32_t* end() { return data_.data() + end_; }
  void pushed_to(const std::uint32_t* end) { end_ = static_cast<std::size_t>(end - data_.data()); }
  void push_control(std::uint32_t word) {
    if (mark_end_ == marks_.size()) marks_.resize(2 * mark_end_ + 64);
    marks_[mark_end_++] = {static_cast<std::uint32_t>(end_), word};
  }

  /// Bytes it takes.
  std::size_t bytes() const { return data_.capacity() * sizeof data_[0] + marks_.capacity() * sizeof marks_[0]; }

  bool empty() const { return head_ == end_ && mark_ == mark_end_; }
  std::size_t size() const { return end_ - head_ + mark_end_ - mark_; }
  /// The first of them, at most `most`.
  std::vector<Message> first(std::size_t most) const {
    std::vector<Message> messages;
    std::size_t data = head_, mark = mark_;
    while (messages.size() < most && (data < end_ || mark < mark_end_)) {
      const bool control = mark < mark_end_ && marks_[mark].position == data;
      messages.push_back({control ? marks_[mark++].word : data_[data++], control});
    }
    return messages;
  }
  /// The next message is a control message.
  bool control() const { return control_after(0); }
  /// So is the one behind the next n data messages.
  bool control_after(std::size_t n) const { return mark_ < mark_end_ && marks_[mark_].position == head_ + n; }

  /// The data messages before the next control message. Valid until the next push.
  std::span<const std::uint32_t> run() const {
    const std::size_t end = mark_ < mark_end_ ? marks_[mark_].position : end_;
    return {data_.data() + head_, end - head_};
  }
  /// The k-th run from here on, which a control message ends; k = 0 is run(). Null: it has not all come.
  std::optional<std::span<const std::uint32_t>> run(std::size_t k) const {
    if (mark_ + k >= mark_end_) return std::nullopt;
    const std::size_t begin = k ? marks_[mark_ + k - 1].position : head_;
    return std::span(data_).subspan(begin, marks_[mark_ + k].position - begin);
  }
  /// Messages that have been taken.
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

  /// Moves what waits to the beginning: a long stream may never leave this empty.
  void close_up() {
    if (mark_) std::copy(marks_.begin() + at(mark_), marks_.begin() + at(mark_end_), marks_.begin());
    mark_end_ -= std::exchange(mark_, 0);
    if (!head_) return;
    std::copy(data_.begin() + at(head_), data_.begin() + at(end_), data_.begin());
    for (std::size_t i = 0; i < mark_end_; ++i) marks_[i].position -= static_cast<std::uint32_t>(head_);
    end_ -= std::exchange(head_, 0);
  }
  static std::ptrdiff_t at(std::size_t place) { return static_cast<std::ptrdiff_t>(place); }

  void reset_if_empty() {
    if (empty()) head_ = mark_ = end_ = mark_end_ = 0;
  }

  std::vector<std::uint32_t> data_;  ///< [head_, end_) wait
  std::vector<Mark> marks_;          ///< [mark_, mark_end_) wait
  std::size_t head_ = 0, mark_ = 0, end_ = 0, mark_end_ = 0;
  std::uint64_t taken_ = 0;
};

}  // namespace weft::model
