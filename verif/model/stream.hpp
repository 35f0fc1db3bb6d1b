/// A stream between two rows: a FIFO of 32-bit words, every column its own, all in step.
///
/// Words are pushed in blocks [beat][col][k] of k words a beat and column, as vector instructions make them, and can be
/// taken in blocks of another k. When both sides agree, which is nearly always, taking copies nothing.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace weft::model {

class Stream {
 public:
  explicit Stream(int cols) : cols_(cols) {}

  /// Words that wait in each column.
  std::size_t words() const { return words_; }

  /// Room for `beats` x [col][k] words, to be filled by the caller before any other call.
  std::uint32_t* push(int beats, int k) {
    if (blocks_.empty()) data_.clear(), head_ = 0;
    const std::size_t old = data_.size(), size = static_cast<std::size_t>(beats) * cols_ * k;
    data_.resize(old + size);
    blocks_.push_back({beats, k, 0});
    words_ += static_cast<std::size_t>(beats) * k;
    return data_.data() + old;
  }

  struct Piece {
    const std::uint32_t* words;  ///< [beat][col][k], valid until the next push or take
    int beats;
  };

  /// Takes at least one and at most `beats` beats of k words. Needs words() >= k.
  Piece take(int beats, int k) {
    compact();
    words_ -= k;
    Block& front = blocks_.front();
    if (front.k != k || front.taken) return {regroup(k), 1};
    const int n = std::min(beats, front.beats);
    const Piece piece{data_.data() + head_, n};
    words_ -= static_cast<std::size_t>(n - 1) * k;
    drop_beats(n);
    return piece;
  }

 private:
  struct Block {
    int beats;
    int k;
    int taken;  ///< words of its first beat that are gone
  };

  void drop_beats(int n) {
    Block& front = blocks_.front();
    head_ += static_cast<std::size_t>(n) * cols_ * front.k;
    front.beats -= n;
    front.taken = 0;
    if (!front.beats) blocks_.pop_front();
  }

  /// One beat of k words, collected from blocks of another shape.
  const std::uint32_t* regroup(int k) {
    beat_.resize(static_cast<std::size_t>(cols_) * k);
    for (int word = 0; word < k; ++word) {
      Block& front = blocks_.front();
      for (int col = 0; col < cols_; ++col)
        beat_[col * k + word] = data_[head_ + static_cast<std::size_t>(col) * front.k + front.taken];
      if (++front.taken == front.k) drop_beats(1);
    }
    return beat_.data();
  }

  void compact() {
    if (head_ < (1u << 16) || head_ * 2 < data_.size()) return;
    data_.erase(data_.begin(), data_.begin() + static_cast<std::ptrdiff_t>(head_));
    head_ = 0;
  }

  int cols_;
  std::size_t words_ = 0;
  std::size_t head_ = 0;  ///< of the first block in data_
  std::vector<std::uint32_t> data_, beat_;
  std::deque<Block> blocks_;
};

}  // namespace weft::model
