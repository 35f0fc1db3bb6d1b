/// Byte-pair encoding (Sennrich, Haddow, Birch 2016): merges adjacent symbols in order of rank.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace weft::tokenizer {

struct Merge {
  std::uint32_t left, right, merged;  ///< ids
};

/// The merges of a vocabulary by pair, as a hash table with open addressing, at most half full.
class MergeTable {
 public:
  static constexpr std::uint32_t kNone = 0xffffffff;
  struct Entry {
    std::uint64_t pair = ~std::uint64_t{0};
    std::uint32_t rank = kNone;  ///< lower ranks are merged first
    std::uint32_t merged = kNone;
  };

  /// `merges` are in order of rank. The last of equal pairs counts, as in the package `tokenizers`. `by_result`: merges
  /// with the same result, which are adjacent, have equal ranks.
  explicit MergeTable(const std::vector<Merge>& merges, bool by_result = false);

  /// Returns an entry of rank kNone if the two are not a pair.
  const Entry& find(std::uint32_t left, std::uint32_t right) const {
    const std::uint64_t pair = std::uint64_t{left} << 32 | right;
    std::size_t at = slot(pair);
    while (entries_[at].pair != pair && entries_[at].rank != kNone) at = (at + 1) & (entries_.size() - 1);
    return entries_[at];
  }

 private:
  std::size_t slot(std::uint64_t pair) const { return pair * 0x9e3779b97f4a7c15 >> shift_; }

  std::vector<Entry> entries_;
  int shift_;
};

/// Merges the symbols of one word until no adjacent symbols form a pair: always the pair of the lowest rank, the first
/// of equal ones. For one thread.
class Merger {
 public:
  explicit Merger(const MergeTable& table) : table_(table) {}
  /// Replaces `symbols` by the word's tokens. A short word takes one scan per merge; a long one n log n in total.
  void merge(std::vector<std::uint32_t>& symbols);

 private:
  void merge_short(std::vector<std::uint32_t>& symbols);
  void merge_long(std::vector<std::uint32_t>& symbols);

  const MergeTable& table_;
  std::vector<std::uint32_t> ranks_;          // [symbol]: rank of the pair with its right neighbour
  std::vector<std::int32_t> before_, after_;  // for merge_long: indices of the neighbours; -1: none
};

}  // namespace weft::tokenizer
