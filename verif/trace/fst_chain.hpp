/// Changes of a signal within a block of an FST file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace weft::trace::fst {

/// Each change is {time steps since the last change, value}, in a form that depends on the width:
///
///  1 bit   one number: steps << 2 | bit << 1, or steps << 4 | (0 for x, 1 for z) << 1 | 1
///  more    steps << 1 and the bits, the highest first, from bit 7 of the first byte on; or, for a value with x or z,
///          steps << 1 | 1 and a character per bit
///  text    steps << 1, the length, the bytes
class Chain {
 public:
  explicit Chain(std::uint32_t bits) : bits_(bits) {}  ///< 0: a text

  /// Adds a value at `step` of the block, which must not be before the last one.
  void add(std::uint32_t step, std::uint64_t value);
  /// Adds a value with a character per bit, the highest first: 0, 1, x, z.
  void add(std::uint32_t step, std::string_view value);
  void add_text(std::uint32_t step, std::string_view text);

  std::uint32_t bits() const { return bits_; }
  const std::string& bytes() const { return bytes_; }
  /// Begins a new block: writes the last value, a character per bit, to `frame` if there was a change, and drops all
  /// changes.
  void end_block(char* frame);

 private:
  void begin(std::uint32_t step) { last_at_ = bytes_.size(), steps_ = step - step_, step_ = step; }

  std::uint32_t bits_;
  std::uint32_t step_ = 0, steps_ = 0;  // step of the last change, and its distance from the one before
  std::size_t last_at_ = 0;             // in bytes_
  std::string bytes_;
};

}  // namespace weft::trace::fst
