/// Words that the columns of a slice send along WEST, until the words of all slices are joined and leave the wafer.
///
/// Only the host takes these words, so a slice never waits for another: vr stores the sums of its lanes here, and the
/// columns are added, from the east, when all slices have done so.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace weft::model {

class West {
 public:
  /// Reserves `columns` x [slot] sums of up to a vector of slots, the easternmost column first; the slice with the
  /// wafer's last column stores one sum over all its columns. Must be filled before join().
  std::size_t reserve(int slots, int columns);
  /// Reserves words of a wafer of one column, which must be filled before join() as they leave the wafer.
  std::size_t reserve_words(int count);
  /// Address of reserved sums or words. Valid until the next call of another function.
  float* sums(std::size_t reserved) { return reinterpret_cast<float*>(words_.data() + reserved); }
  /// Appends consecutive words of these columns, column by column.
  void words(std::span<const std::uint32_t> words);
  /// Appends a word that all columns would send and only the wafer's first column does send.
  void word(std::uint32_t word);

  /// Removes all words, but keeps the memory.
  void clear() { parts_.clear(), words_.clear(); }

  /// Joins the slices of one row, first to last column, and appends their words to `outlet`.
  static void join(std::span<const West* const> slices, std::vector<std::uint32_t>& outlet);

 private:
  enum class Kind { Sums, Words, Word };
  struct Part {
    Kind kind;
    int count;    ///< slots or words
    int columns;  ///< columns of sums
  };

  std::vector<Part> parts_;
  std::vector<std::uint32_t> words_;  ///< words of all parts; sums as their bits
};

}  // namespace weft::model
