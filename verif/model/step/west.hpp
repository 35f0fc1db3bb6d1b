/// What the columns of a slice send along WEST, until all slices' words are joined to what leaves the wafer.
///
/// Only the host takes these words, so a slice never waits for another's: vr leaves the sums of its lanes here, and the
/// columns are added up, from the east, when all slices have done so.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace weft::model {

class West {
 public:
  /// Room for `columns` x [slot] sums of up to a vector of slots, the eastern column first; whoever has the wafer's
  /// last column gives one sum of all its columns. To be filled before anybody joins.
  std::size_t reserve(int slots, int columns);
  /// Where that room is. Valid until the next call of another function.
  float* sums(std::size_t reserved) { return reinterpret_cast<float*>(words_.data() + reserved); }
  /// Words of these columns that follow each other, column by column.
  void words(std::span<const std::uint32_t> words);
  /// One word that all columns would send, of which the wafer's first one does.
  void word(std::uint32_t word);

  /// Nothing, but the room for it.
  void clear() { parts_.clear(), words_.clear(); }

  /// Joins the slices of one row, first to last column, and appends their words to `outlet`.
  static void join(std::span<const West* const> slices, std::vector<std::uint32_t>& outlet);

 private:
  enum class Kind { Sums, Words, Word };
  struct Part {
    Kind kind;
    int count;    ///< slots or words
    int columns;  ///< of sums
  };

  std::vector<Part> parts_;
  std::vector<std::uint32_t> words_;  ///< of all parts; sums as their bits
};

}  // namespace weft::model
