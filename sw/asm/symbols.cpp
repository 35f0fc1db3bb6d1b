#include "sw/asm/symbols.hpp"

#include <charconv>
#include <cstdlib>
#include <string>
#include <vector>

#include "sw/asm/words.hpp"
#include "sw/base/bf16.hpp"
#include "sw/base/did_you_mean.hpp"

namespace weft::assembler {
namespace {

std::int64_t integer(std::string_view text) {
  const std::string_view prefix = text.substr(0, 2);
  const int base = prefix == "0x" || prefix == "0X" ? 16 : prefix == "0b" ? 2 : 10;
  const std::string_view digits = base == 10 ? text : text.substr(2);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (error != std::errc{} || end != digits.data() + digits.size() || value > 0xffffffff)
    throw Complaint{in_quotes(text) + " is not an integer", "write 12, 0x1f, 0b101, or bf16(0.5) for a bf16 constant"};
  return value;
}

std::int64_t bf16_constant(Cursor& at) {
  at.expect('(', "bf16(0.5)");
  std::string text(at.until(')'));
  while (!text.empty() && text.back() == ' ') text.pop_back();
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);  // values out of range are rounded like all others
  if (text.empty() || end != text.c_str() + text.size())
    throw Complaint{in_quotes(text) + " is not a number", "write bf16(-1.5e-3)"};
  at.expect(')', "bf16(0.5)");
  return nearest_bf16(value);
}

}  // namespace

void Symbols::define_value(std::string_view name, std::int64_t value, Place place) {
  require_new(name);
  values_.emplace(name, Symbol{value, place});
}

void Symbols::define_register(std::string_view name, int number, Place place) {
  require_new(name);
  (in_routine_ ? of_routine_ : of_source_).emplace(name, Symbol{number, place});
}

void Symbols::begin_source() {
  of_source_.clear();
  of_routine_.clear();
  in_routine_ = false;
}

void Symbols::begin_routine() {
  of_routine_.clear();
  in_routine_ = true;
}

const Symbols::Symbol* Symbols::find_register(std::string_view name) const {
  for (const Table* table : {&of_routine_, &of_source_})
    if (const auto found = table->find(name); found != table->end()) return &found->second;
  return nullptr;
}

void Symbols::require_new(std::string_view name) const {
  require_name(name);
  const auto value = values_.find(name);
  const Symbol* const old = value != values_.end() ? &value->second : find_register(name);
  if (!old) return;
  throw Complaint{in_quotes(name) + " is already defined " + (old->place.source ? "in " : "by ") + text_of(old->place),
                  "choose another name"};
}

int Symbols::read_register(Cursor& at) const {
  const Cursor before = at;
  const std::string_view name = at.word();
  if (const int n = plain_register(name); n >= 0) return n;
  if (const Symbol* const found = find_register(name)) return static_cast<int>(found->value);
  std::vector<std::string> aliases;
  for (const Table* table : {&of_routine_, &of_source_})
    for (const auto& [alias, symbol] : *table) aliases.push_back(alias);
  throw Complaint{"expected a register " + before.here(),
                  did_you_mean(name, aliases, "use r0 to r15, or name one with .reg NAME, r3")};
}

std::int64_t Symbols::read_number(Cursor& at, std::int64_t lo, std::int64_t hi, std::string_view what) const {
  const std::int64_t value = read_expression(at);
  if (value < lo || value > hi)
    throw Complaint{std::string(what) + " " + std::to_string(value) + " is out of range",
                    "use " + std::to_string(lo) + " to " + std::to_string(hi)};
  return value;
}

std::int64_t Symbols::read_expression(Cursor& at) const {
  std::int64_t value = read_product(at);
  for (;;) {
    if (at.eat('+')) {
      value += read_product(at);
    } else if (at.eat('-')) {
      value -= read_product(at);
    } else {
      return value;
    }
    // Every operand is below 2^33, so a bound here keeps any sum and product inside 64 bits.
    if (value > 0xffffffff || value < -0xffffffffLL) throw Complaint{"the expression is too large", "stay below 2^32"};
  }
}

std::int64_t Symbols::read_product(Cursor& at) const {
  std::int64_t value = read_term(at);
  while (at.eat('*')) {
    if (__builtin_mul_overflow(value, read_term(at), &value) || value > 0xffffffff || value < -0xffffffffLL)
      throw Complaint{"the expression is too large", "stay below 2^32"};
  }
  return value;
}

std::int64_t Symbols::read_term(Cursor& at) const {
  if (at.eat('-')) return -read_term(at);
  if (at.eat('(')) {
    const std::int64_t value = read_expression(at);
    at.expect(')', "a closing parenthesis");
    return value;
  }
  const std::string_view text = at.word();
  if (text.empty()) throw Complaint{"expected a number " + at.here(), "write a number, a name or an expression"};
  if (std::isdigit(static_cast<unsigned char>(text.front()))) return integer(text);
  return text == "bf16" ? bf16_constant(at) : value_of(text);
}

std::int64_t Symbols::value_of(std::string_view name) const {
  if (const auto found = values_.find(name); found != values_.end()) return found->second.value;
  if (plain_register(name) >= 0 || find_register(name))
    throw Complaint{in_quotes(name) + " is a register, not a number", "use a form of the instruction that takes one"};
  std::vector<std::string> names;
  for (const auto& [other, symbol] : values_) names.push_back(other);
  throw Complaint{"undefined name " + in_quotes(name),
                  did_you_mean(name, names, "define it with .equ, or as a label 'NAME:'")};
}

}  // namespace weft::assembler
