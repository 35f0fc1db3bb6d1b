/// Instruction words that a thread may not execute, made from the rules of isa_legal.hpp: one word for each way to be
/// illegal.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "isa_legal.hpp"

namespace weft::test {

inline std::uint32_t with(std::uint32_t word, const isa::Bits& field, std::uint32_t value) {
  return (word & ~(field.mask << field.lsb)) | value << field.lsb;
}

inline std::uint32_t opcode(isa::Opcode op) { return static_cast<std::uint32_t>(op) << 26; }

/// Makes a word legal whose colors, unless they are set, become WEST: each field that breaks a rule gets the lowest
/// legal value.
inline std::uint32_t made_legal(std::uint32_t word, isa::Thread thread) {
  for (const isa::ColorUse& use : isa::kColorUses)
    if (static_cast<std::uint32_t>(use.op) == word >> 26 && use.field.of(word) == 0)
      word = with(word, use.field, static_cast<std::uint32_t>(isa::Color::West));
  for (const isa::Rule& rule : isa::kRules) {
    if (static_cast<std::uint32_t>(rule.op) != word >> 26 || rule.thread != thread) continue;
    if (rule.given.of(word) != rule.when || (rule.values >> rule.field.of(word) & 1)) continue;
    std::uint32_t lowest = 0;
    while (!(rule.values >> lowest & 1)) ++lowest;
    word = with(word, rule.field, lowest);
  }
  return word;
}

/// Legal words of psum, one for each bit that makes the instruction use the color.
inline std::vector<std::uint32_t> users(const isa::ColorUse& use) {
  constexpr std::uint32_t kOperands = (1u << 26) - 1;
  if ((use.switches & kOperands) == kOperands) return {made_legal(opcode(use.op), isa::Thread::Psum)};  // always used
  std::vector<std::uint32_t> words;
  for (std::uint32_t bit = 1; bit <= kOperands; bit <<= 1)
    if (use.switches & bit) words.push_back(made_legal(opcode(use.op) | bit, isa::Thread::Psum));
  return words;
}

/// Words that set BAD_INSTR: opcodes without an instruction and of the other thread, each illegal value of each field,
/// and W as each color.
inline std::vector<std::uint32_t> bad_instructions(isa::Thread thread) {
  std::vector<std::uint32_t> words;
  for (std::uint32_t op = 0; op < 64; ++op)
    if (const std::uint32_t word = made_legal(op << 26, thread); !isa::fields_legal(word, thread))
      words.push_back(word);
  for (const isa::Rule& rule : isa::kRules) {
    if (rule.thread != thread) continue;
    const std::uint32_t base = made_legal(with(opcode(rule.op), rule.given, rule.when), thread);
    for (std::uint32_t value = 0; value <= rule.field.mask; ++value)
      if (!(rule.values >> value & 1)) words.push_back(with(base, rule.field, value));
  }
  if (thread == isa::Thread::Psum)
    for (const isa::ColorUse& use : isa::kColorUses)
      for (const std::uint32_t word : users(use))
        words.push_back(with(word, use.field, static_cast<std::uint32_t>(isa::Color::W)));
  for (const std::uint32_t word : words)
    if (isa::verdict(word, thread, 32) != isa::Verdict::BadInstr)
      throw std::logic_error("bad_instructions: one is legal");
  return words;
}

/// Words of psum that set BAD_COLOR: each used color is once one that the machine does not have.
inline std::vector<std::uint32_t> bad_colors(int colors) {
  std::vector<std::uint32_t> words;
  for (const isa::ColorUse& use : isa::kColorUses)
    for (const std::uint32_t word : users(use))
      for (const int color : {colors, 31}) words.push_back(with(word, use.field, static_cast<std::uint32_t>(color)));
  for (const std::uint32_t word : words)
    if (isa::verdict(word, isa::Thread::Psum, colors) != isa::Verdict::BadColor)
      throw std::logic_error("bad_colors: one is something else");
  return words;
}

}  // namespace weft::test
