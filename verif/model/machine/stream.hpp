/// A stream between two rows: a FIFO of 32-bit words for each column, all in lockstep.
///
/// Words are pushed in blocks [beat][col][k] of k words per beat and column, as vector instructions produce them, and
/// can be taken in blocks of another k. When both sides use the same k, which is nearly always the case, taking copies
/// nothing. One vector of bytes past the end of what was pushed or taken may be read.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "verif/model/machine/aligned.hpp"

namespace weft::model {

class Stream {
 public:
  explicit Stream(int cols) : cols_(cols) {}

  /// Words waiting in each column.
  std::size_t words() const { return words_; }

  /// Room for `beats` x [col][k] words, to be filled by the caller before any other call.
  std::uint32_t* push(int beats, int k) {
    const std::size_t size = static_cast<std::size_t>(beats) * cols_ * k;
    if (!words_) rewind();
    if (end_ + size > capacity_) make_room(size);
    std::uint32_t* room = data_.data() + end_;
    end_ += size;
    blocks_.push_back({beats, k, 0});
    words_ += static_cast<std::size_t>(beats) * k;
    return room;
  }

  /// A copy of the words waiting in one column.
  Stream column(int col) const {
    Stream result(1);
    std::size_t at = begin_;
    for (std::size_t b = first_; b < blocks_.size(); ++b) {
      const Block& block = blocks_[b];
      const auto k = static_cast<std::size_t>(block.k);
      for (int beat = 0; beat < block.beats; ++beat, at += k * static_cast<std::size_t>(cols_)) {
        const int gone = beat ? 0 : block.taken;
        std::copy_n(data_.data() + at + static_cast<std::size_t>(col) * k + gone, block.k - gone,
                    result.push(1, block.k - gone));
      }
    }
    return result;
  }

  /// The next word of a column. Needs words().
  std::uint32_t front(int col) const {
    const Block& front = blocks_[first_];
    return data_.data()[begin_ + static_cast<std::size_t>(col) * static_cast<std::size_t>(front.k) + front.taken];
  }

  struct Piece {
    const std::uint32_t* words;  ///< [beat][col][k], valid until the next push or take
    int beats;
  };

  /// Takes at least one and at most `beats` beats of k words. Needs words() >= k.
  Piece take(int beats, int k) {
    const Block& front = blocks_[first_];
    if (front.k != k || front.taken) {
      words_ -= k;
      return {regroup(k), 1};
    }
    const int n = std::min(beats, front.beats);
    const Piece piece{data_.data() + begin_, n};
    words_ -= static_cast<std::size_t>(n) * k;
    drop_beats(n);
    return piece;
  }

 private:
  static constexpr int kSlack = 16;  ///< words

  struct Block {
    int beats;
    int k;
    int taken;  ///< words of its first beat already taken
  };

  void drop_beats(int n) {
    Block& front = blocks_[first_];
    begin_ += static_cast<std::size_t>(n) * cols_ * front.k;
    front.beats -= n;
    front.taken = 0;
    if (!front.beats) ++first_;
  }

  /// One beat of k words, collected from blocks of another k.
  const std::uint32_t* regroup(int k) {
    beat_.resize(static_cast<std::size_t>(cols_) * k + kSlack);
    for (int word = 0; word < k; ++word) {
      Block& front = blocks_[first_];
      for (int col = 0; col < cols_; ++col)
        beat_[col * k + word] = data_.data()[begin_ + static_cast<std::size_t>(col) * front.k + front.taken];
      if (++front.taken == front.k) drop_beats(1);
    }
    return beat_.data();
  }

  void rewind() {
    begin_ = end_ = first_ = 0;
    blocks_.clear();
  }

  /// Moves waiting words to the beginning, or to a larger buffer if necessary.
  void make_room(std::size_t size) {
    const std::size_t used = end_ - begin_;
    if (used + size > capacity_ / 2) {
      capacity_ = 2 * (used + size) + 4096;
      AlignedRoom<std::uint32_t> larger(capacity_);
      if (used) std::memcpy(larger.data(), data_.data() + begin_, used * sizeof(std::uint32_t));
      data_ = std::move(larger);
    } else {
      std::memmove(data_.data(), data_.data() + begin_, used * sizeof(std::uint32_t));
    }
    begin_ = 0;
    end_ = used;
    blocks_.erase(blocks_.begin(), blocks_.begin() + static_cast<std::ptrdiff_t>(first_));
    first_ = 0;
  }

  int cols_;
  std::size_t words_ = 0;
  AlignedRoom<std::uint32_t> data_;
  std::size_t capacity_ = 0, begin_ = 0, end_ = 0;  ///< positions in data_
  std::vector<Block> blocks_;                       ///< waiting blocks begin at first_
  std::size_t first_ = 0;
  std::vector<std::uint32_t> beat_;
};

}  // namespace weft::model
