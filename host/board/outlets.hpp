/// What a board's rows have delivered: the words of its stream, by row.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "host/board/unpacker.hpp"

namespace weft::board {

class Outlets {
 public:
  explicit Outlets(int rows);

  /// Takes bytes of the stream as they come. False: they name a row that is not there, `named()`.
  bool put(std::span<const std::uint8_t> bytes);
  int named() const { return unpacker_.row(); }
  /// Words that nobody has cleared yet. Who clears them has taken them: `taken` counts on.
  std::vector<std::uint32_t>& row(int row) { return outlets_.at(static_cast<std::size_t>(row)); }
  /// Words of a row, of all rows, since the session began.
  std::uint64_t taken(std::size_t row) const { return taken_[row]; }
  std::uint64_t words() const { return unpacker_.words(); }
  std::size_t rows() const { return outlets_.size(); }

  /// Whether each row has delivered its total, [row].
  bool delivered(std::span<const std::uint64_t> totals) const;
  /// "; row 1 has delivered 3 of 4 words" for each that has not.
  std::string missing(std::span<const std::uint64_t> totals) const;
  /// A new session: what the old one brought is thrown away.
  void begin();

 private:
  Unpacker unpacker_;
  std::vector<std::vector<std::uint32_t>> outlets_, fresh_;  // [row]
  std::vector<std::uint64_t> taken_;                         // [row]
};

}  // namespace weft::board
