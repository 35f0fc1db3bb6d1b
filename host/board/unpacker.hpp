/// Records to words of rows (docs/board_link.md, Up).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace weft::board {

class Unpacker {
 public:
  explicit Unpacker(int rows) : rows_(rows) {}

  /// Takes bytes of the stream as they come, and puts words into `outlets`, [row]. False: it names a row that is not
  /// there, which no board does; then it goes on no more.
  bool put(std::span<const std::uint8_t> bytes, std::vector<std::vector<std::uint32_t>>& outlets);
  std::uint64_t words() const { return words_; }
  /// Of the record that has just begun.
  int row() const { return row_; }
  void begin() { left_ = have_ = 0, words_ = 0; }

 private:
  int rows_;
  int row_ = 0;
  int left_ = 0;  // words of the record
  int have_ = 0;  // bytes of the word
  std::uint32_t word_ = 0;
  std::uint64_t words_ = 0;
};

}  // namespace weft::board
