/// Changes of a signal within a block of an FST file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace weft::fst {

/// Each change is {steps of time since the last change, its value}, in a form that the width decides:
///
///   1 bit   one number: steps << 2 | bit << 1, or steps << 4 | (0 for x, 1 for z) << 1 | 1
///   more    steps << 1 and the bits, the highest first, from bit 7 of the first byte on; or, for a value with x or z,
///           steps << 1 | 1 and a character a bit
///   a text  steps << 1, the length, the bytes
class Chain {
 public:
  explicit Chain(std::uint32_t bits) : bits_(bits) {}  ///< 0: a text

  /// Adds a value at `step` of the block, no earlier than the last one.
  void add(std::uint32_t step, std::uint64_t value);
  /// A character a bit, the highest first: 0, 1, x, z.
  void add(std::uint32_t step, std::string_view value);
  void add_text(std::uint32_t step, std::string_view text);

  std::uint32_t bits() const { return bits_; }
  const std::string& bytes() const { return bytes_; }
  /// Writes the last value, a character a bit, to `frame`, if there was a change; forgets all changes: a new block.
  void end_block(char* frame);

 private:
  void begin(std::uint32_t step) { last_at_ = bytes_.size(), steps_ = step - step_, step_ = step; }

  std::uint32_t bits_;
  std::uint32_t step_ = 0, steps_ = 0;  // of the last change, and from the one before
  std::size_t last_at_ = 0;             // in bytes_
  std::string bytes_;
};

}  // namespace weft::fst
