/// SRAM of some neighbouring columns, [word][col][lane]: a vector of beats over all columns is contiguous.
///
/// Addresses are elements of a column's SRAM, modulo 2^16, checked beat by beat (docs/reference/pe.md, Edge cases): an
/// address is rounded down to a whole word (MISALIGNED); past the end of SRAM reads return zeros and writes are lost
/// (BAD_ADDRESS). In a general tile an address is not rounded (docs/reference/general_tile.md): a vector may begin
/// within a word. Such a vector is not contiguous here, and is copied: it may overlap the vector that is written.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>

#include "sw/machine/shape.hpp"
#include "verif/model/machine/aligned.hpp"
#include "verif/model/machine/columns.hpp"
#include "verif/model/machine/flags.hpp"
#include "verif/model/machine/moved.hpp"

namespace weft::model {

class Sram {
 public:
  /// `flags`, which must outlive this, receives MISALIGNED and BAD_ADDRESS.
  Sram(const machine::WaferShape& shape, int cols, Flags& flags)
      : elements_(static_cast<unsigned>(shape.sram_elements())),
        lanes_(static_cast<unsigned>(shape.lanes)),
        cols_(static_cast<unsigned>(cols)),
        any_address_(shape.general),
        flags_(flags),
        m_(std::size_t{elements_} * cols_),
        read_(machine::WaferShape::kRDepth * std::size_t{lanes_} * cols_),
        written_(machine::WaferShape::kRDepth * std::size_t{lanes_} * cols_),
        zeros_(std::size_t{lanes_} * cols_) {}

  /// Checks that `beats` words from `address` on are aligned and lie in SRAM, so that they are contiguous.
  bool inside(std::uint16_t address, int beats) const {
    return !(address & (lanes_ - 1)) && address + static_cast<unsigned>(beats) * lanes_ <= elements_;
  }
  /// Address of a vector that is inside.
  std::uint16_t* at(std::uint16_t address) { return m_.data() + std::size_t{address} * cols_; }
  const std::uint16_t* at(std::uint16_t address) const { return m_.data() + std::size_t{address} * cols_; }

  /// Locates vectors of `beats` words at address(0), address(1), ... up to the n-th or the first that is not inside.
  /// Returns the number located.
  template <class Address>
  int locate(int n, int beats, Address address, const std::uint16_t** found) const {
    const std::uint16_t* m = m_.data();
    const std::size_t cols = cols_;
    const unsigned misaligned = lanes_ - 1;
    const int last = static_cast<int>(elements_) - beats * static_cast<int>(lanes_);
    const auto lost = [=](std::uint16_t a) { return (a & misaligned) != 0 || a > last; };
    unsigned any = 0;
    for (int j = 0; j < n; ++j) {  // has no exit, so that the compiler can use vectors
      const std::uint16_t a = address(j);
      const unsigned here = lost(a) ? 1 : 0;
      any |= here;
      found[j] = here ? m : m + a * cols;
    }
    if (!any) [[likely]]
      return n;
    int located = 0;
    while (!lost(address(located))) ++located;
    return located;
  }

  /// 1 to 256 words from `address` on, [beat][col][lane]. Valid until the next read that is not inside.
  const std::uint16_t* read(std::uint16_t address, int beats) {
    return inside(address, beats) ? at(address) : collect(address, beats);
  }

  /// Buffer for a write of 1 to 256 words from `address` on; written() with the same arguments must follow.
  std::uint16_t* to_write(std::uint16_t address, int beats) {
    if (!inside(address, beats)) return written_.data();
    note(address, static_cast<unsigned>(beats) * lanes_);
    return at(address);
  }
  void written(std::uint16_t address, int beats) {
    if (!inside(address, beats)) scatter(address, beats);
  }

  /// Copies column `col` of another SRAM to column `to`.
  void copy_column(const Sram& other, int col, int to) {
    model::copy_column<std::uint16_t>({other.m_.data(), static_cast<int>(other.cols_), col},
                                      {m_.data(), static_cast<int>(cols_), to}, static_cast<int>(lanes_),
                                      elements_ / lanes_);
  }

  /// One word, [col][lane]. Stays valid.
  const std::uint16_t* read_word(std::uint16_t address) { return usable(address) ? at(address) : zeros_.data(); }
  /// The word for a write of `count` lanes from `lane` on (0: all lanes). Null: the write is lost.
  std::uint16_t* word_to_write(std::uint16_t address, unsigned lane = 0, unsigned count = 0) {
    if (!usable(address)) return nullptr;
    note(address + lane, count ? count : lanes_);
    return at(address);
  }

  /// Places to which elements `lane` and `lane` + 1 of the vector at `address` are written, as element(); null: the
  /// write is lost.
  std::array<std::uint16_t*, 2> pair_to_write(std::uint16_t address, unsigned lane);

  /// One element of each column: the first column's; those of other columns follow at a distance of `lanes`. Stays
  /// valid.
  const std::uint16_t* element(std::uint16_t address) {
    const unsigned lane = address & (lanes_ - 1);
    return read_word(static_cast<std::uint16_t>(address - lane)) + lane;
  }

  /// From now on writes are recorded in `moved` (null: not recorded).
  void record_writes(ModelMove* moved) { moved_ = moved; }
  /// Must be called before elements of a column are written.
  void note(unsigned first, unsigned count) {
    if (moved_) [[unlikely]]
      noted(first, count);
    if (first < watched_end_ && first + count > watched_first_) [[unlikely]]
      on_write();
  }

  /// From now on `on_write` is called before an element of [first, end) is written, or of a range watched before.
  void watch(unsigned first, unsigned end) {
    watched_first_ = std::min(watched_first_, first);
    watched_end_ = std::max(watched_end_, end);
  }
  void unwatch() { watched_first_ = ~0u, watched_end_ = 0; }
  std::function<void()> on_write = [] {};  ///< invalidates results that depend on watched elements

 private:
  [[gnu::cold, gnu::noinline]] void noted(unsigned first, unsigned count);
  const std::uint16_t* collect(std::uint16_t address, int beats);
  /// True if the word at an address begins within one word of memory and ends in the next.
  bool split(std::uint16_t address) const { return any_address_ && address & (lanes_ - 1); }
  void scatter(std::uint16_t address, int beats);
  /// Rounds a beat's address down. Returns false if it is past the end.
  bool usable(std::uint16_t& address) {
    if (inside(address, 1)) [[likely]]
      return true;
    return round_down(address);
  }
  bool round_down(std::uint16_t& address);

  const unsigned elements_, lanes_, cols_;
  const bool any_address_;  ///< vectors begin at any element
  Flags& flags_;
  ModelMove* moved_ = nullptr;
  unsigned watched_first_ = ~0u, watched_end_ = 0;
  Aligned<std::uint16_t> m_;
  Aligned<std::uint16_t> read_, written_;  ///< vectors that are not contiguous in m_
  Aligned<std::uint16_t> zeros_;           ///< one word
};

}  // namespace weft::model
