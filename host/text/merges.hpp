/// Byte-pair encoding (Sennrich, Haddow, Birch 2016): which neighbours become one token, and which first.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace weft::text {

struct Merge {
  std::uint32_t left, right, merged;  ///< ids
};

/// The merges of a vocabulary by pair. A table of open addressing, at most half full.
class MergeTable {
 public:
  static constexpr std::uint32_t kNone = 0xffffffff;
  struct Entry {
    std::uint64_t pair = ~std::uint64_t{0};
    std::uint32_t rank = kNone;  ///< lower ones are merged first
    std::uint32_t merged = kNone;
  };

  /// In order of rank. Of equal pairs the last one counts, as in the package `tokenizers`.
  explicit MergeTable(const std::vector<Merge>& merges);

  /// An entry of rank kNone if the two are no pair.
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

/// Merges the symbols of one word until no two neighbours are a pair: always the pair of the lowest rank, of equal ones
/// the first. Each thread has its own.
class Merger {
 public:
  explicit Merger(const MergeTable& table) : table_(table) {}
  /// `symbols` becomes the word's tokens. A short word takes a scan for each merge; a long one n log n.
  void merge(std::vector<std::uint32_t>& symbols);

 private:
  void merge_short(std::vector<std::uint32_t>& symbols);
  void merge_long(std::vector<std::uint32_t>& symbols);

  const MergeTable& table_;
  std::vector<std::uint32_t> ranks_;          // [symbol]: of the pair with its right neighbour
  std::vector<std::int32_t> before_, after_;  // of merge_long: the neighbours; -1: none
};

}  // namespace weft::text
