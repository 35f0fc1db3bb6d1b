/// Symbol tables and evaluation of expressions.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "sw/asm/cursor.hpp"
#include "sw/asm/place.hpp"

namespace weft::assembler {

/// Labels and constants, visible in the whole program, and names of registers, visible in their routine or source. A
/// visible name has exactly one meaning. All functions throw Complaint.
class Symbols {
 public:
  void define_value(std::string_view name, std::int64_t value, Place place);
  /// Valid until the next routine; if defined before the first routine, until the end of the source.
  void define_register(std::string_view name, int number, Place place);

  /// Forgets all names of registers.
  void begin_source();
  /// Forgets names of registers, except those defined before the source's first routine.
  void begin_routine();

  /// A register's number, 0..15, from `r7` or an alias.
  int read_register(Cursor& at) const;

  /// An expression: `+ - *`, parentheses, names, integers (decimal, 0x, 0b) and `bf16(0.5)`. Recurses for each
  /// parenthesis and sign, so the caller must bound the length of a line.
  std::int64_t read_expression(Cursor& at) const;

  /// An expression that must lie in lo..hi; `what` names the operand in the message.
  std::int64_t read_number(Cursor& at, std::int64_t lo, std::int64_t hi, std::string_view what) const;

 private:
  struct Symbol {
    std::int64_t value;
    Place place;
  };
  using Table = std::map<std::string, Symbol, std::less<>>;

  void require_new(std::string_view name) const;
  const Symbol* find_register(std::string_view name) const;
  std::int64_t read_product(Cursor& at) const;
  std::int64_t read_term(Cursor& at) const;
  std::int64_t value_of(std::string_view name) const;

  Table values_;
  Table of_source_, of_routine_;  ///< registers
  bool in_routine_ = false;
};

}  // namespace weft::assembler
