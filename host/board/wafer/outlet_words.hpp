/// Words that the rows of a board have delivered, sorted by row.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "host/board/wafer/unpacker.hpp"

namespace weft::board {

class OutletWords {
 public:
  explicit OutletWords(int rows);

  /// Processes the next bytes of the stream. Returns false if they name a row that does not exist, `named()`.
  bool add(std::span<const std::uint8_t> bytes);
  int named() const { return unpacker_.row(); }
  /// Words not yet consumed. The caller consumes words by clearing the vector; `taken` still counts them.
  std::vector<std::uint32_t>& row(int row) { return words_.at(static_cast<std::size_t>(row)); }
  /// Words of one row, or of all rows, since the session began.
  std::uint64_t taken(std::size_t row) const { return taken_[row]; }
  std::uint64_t words() const { return unpacker_.words(); }
  std::size_t rows() const { return words_.size(); }

  /// True if each row has delivered its total, [row].
  bool delivered(std::span<const std::uint64_t> totals) const;
  /// "; row 1 has delivered 3 of 4 words" for each incomplete row.
  std::string missing(std::span<const std::uint64_t> totals) const;
  /// Begins a session and discards the words of the previous one.
  void begin();

 private:
  Unpacker unpacker_;
  std::vector<std::vector<std::uint32_t>> words_, fresh_;  // [row]
  std::vector<std::uint64_t> taken_;                       // [row]
};

}  // namespace weft::board
