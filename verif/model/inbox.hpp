/// A row's W messages: runs of data, each run ended by a control message, so that a run lies in one piece.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weft::model {

class Inbox {
 public:
  /// Room for n data messages, to be filled by the caller before any other call.
  std::uint32_t* push_data(std::size_t n) {
    const std::size_t old = data_.size();
    data_.resize(old + n);
    return data_.data() + old;
  }
  void push_control(std::uint32_t word) { marks_.push_back({data_.size(), word}); }

  bool empty() const { return head_ == data_.size() && mark_ == marks_.size(); }
  /// The next message is a control message.
  bool control() const { return control_after(0); }
  /// So is the one behind the next n data messages.
  bool control_after(std::size_t n) const { return mark_ < marks_.size() && marks_[mark_].position == head_ + n; }

  /// The data messages before the next control message. Valid until the next push.
  std::span<const std::uint32_t> run() const {
    const std::size_t end = mark_ < marks_.size() ? marks_[mark_].position : data_.size();
    return {data_.data() + head_, end - head_};
  }
  void drop(std::size_t n) {
    head_ += n;
    reset_if_empty();
  }
  std::uint32_t take_control() {
    const std::uint32_t word = marks_[mark_++].word;
    reset_if_empty();
    return word;
  }

 private:
  struct Mark {
    std::size_t position;
    std::uint32_t word;
  };

  void reset_if_empty() {
    if (!empty()) return;
    data_.clear();
    marks_.clear();
    head_ = mark_ = 0;
  }

  std::vector<std::uint32_t> data_;
  std::vector<Mark> marks_;
  std::size_t head_ = 0, mark_ = 0;
};

}  // namespace weft::model
