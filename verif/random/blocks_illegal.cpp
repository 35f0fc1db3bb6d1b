/// Instructions that end their thread.
#include <iterator>

#include "isa_legal.hpp"
#include "verif/random/blocks.hpp"

namespace weft::random {
namespace {

std::uint32_t bits(isa::Opcode op) { return static_cast<std::uint32_t>(op) << 26; }

/// True if the thread may execute the opcode, with some values of the fields.
bool executes(std::uint32_t op, bool main) {
  const isa::Info* const info = isa::info(static_cast<isa::Opcode>(op));
  return info && (main ? info->main : info->psum);
}

}  // namespace

void Blocks::illegal(Code& c, bool main) {
  const isa::Thread thread = main ? isa::Thread::Main : isa::Thread::Psum;
  const auto any = [&] { return static_cast<std::uint32_t>(rng_.next()) & 0x03ffffff; };
  std::uint32_t word = any();  // opcode 0
  const int kind = rng_.below(main ? 5 : 8);
  if (kind == 1) {  // any opcode that the thread does not execute
    do word = static_cast<std::uint32_t>(rng_.next());
    while (executes(word >> 26, main));
  } else if (kind == 2) {  // an instruction of the other thread
    const isa::Info* info = nullptr;
    do info = &isa::kInstrs[rng_.below(static_cast<int>(std::size(isa::kInstrs)))];
    while (executes(static_cast<std::uint32_t>(info->op), main));
    word = bits(info->op) | any();
  } else if (kind == 3 || kind == 4) {  // a field breaks a rule
    const isa::Rule* rule = nullptr;
    do rule = &isa::kRules[rng_.below(static_cast<int>(std::size(isa::kRules)))];
    while (rule->thread != thread);
    do word = bits(rule->op) | any();
    while (isa::fields_legal(word, thread));
  } else if (kind >= 5) {  // a color is W or not built
    const isa::ColorUse& use = isa::kColorUses[rng_.below(static_cast<int>(std::size(isa::kColorUses)))];
    const bool w = shape_.colors == 32 || rng_.chance(40);
    const auto color = static_cast<std::uint32_t>(w ? 0 : rng_.between(shape_.colors, 31));
    do word = bits(use.op) | (any() & ~(use.field.mask << use.field.lsb)) | color << use.field.lsb;
    while (isa::verdict(word, thread, shape_.colors) == isa::Verdict::Legal);
  }
  c.raw(word);
}

}  // namespace weft::random
