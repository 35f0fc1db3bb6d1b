/// Unpacks records into the words of rows (docs/reference/board_link.md, Up).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace weft::board {

class Unpacker {
 public:
  explicit Unpacker(int rows) : rows_(rows) {}

  /// Processes the next bytes of the stream and appends words to `outlets`, [row]. Returns false if a record names a
  /// row that does not exist, which no working board does; processing stops there.
  bool unpack(std::span<const std::uint8_t> bytes, std::vector<std::vector<std::uint32_t>>& outlets);
  std::uint64_t words() const { return words_; }
  /// Row of the current record.
  int row() const { return row_; }
  void begin() { left_ = have_ = 0, words_ = 0; }

 private:
  int rows_;
  int row_ = 0;
  int left_ = 0;  // words left in the record
  int have_ = 0;  // bytes received of the word
  std::uint32_t word_ = 0;
  std::uint64_t words_ = 0;
};

}  // namespace weft::board
