/// What names and expressions mean.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "sw/asm/cursor.hpp"

namespace weft::assembler {

/// Labels, constants and register aliases: one name space. Everything throws Complaint.
class Symbols {
 public:
  /// `line` 0: given by the caller.
  void define_value(std::string_view name, std::int64_t value, int line);
  void define_register(std::string_view name, int number, int line);

  /// A register's number, 0..15, from `r7` or an alias.
  int read_register(Cursor& at) const;

  /// An expression: `+ - *`, parentheses, names, integers (decimal, 0x, 0b) and `bf16(0.5)`.
  std::int64_t read_expression(Cursor& at) const;

  /// An expression that must lie in lo..hi; `what` names the operand in the message.
  std::int64_t read_number(Cursor& at, std::int64_t lo, std::int64_t hi, std::string_view what) const;

 private:
  struct Symbol {
    std::int64_t value;
    int line;
    bool is_register;
  };
  void define(std::string_view name, Symbol symbol);
  std::int64_t read_product(Cursor& at) const;
  std::int64_t read_term(Cursor& at) const;
  std::int64_t value_of(std::string_view name) const;

  std::map<std::string, Symbol, std::less<>> symbols_;
};

}  // namespace weft::assembler
