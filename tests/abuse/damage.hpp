/// Damage to the bytes of a file.
#pragma once

#include <memory>
#include <string>

#include "tests/random.hpp"

namespace weft::abuse {

enum class Damage { Flip, Cut, Empty, Nul };

/// Flip and Cut, rarely Empty.
inline Damage draw_damage(test::Dice& dice) {
  const std::uint32_t of_ten = dice.below(10);
  return of_ten < 6 ? Damage::Flip : of_ten < 9 ? Damage::Cut : Damage::Empty;
}

/// `text` with one bit flipped, cut short, empty, or with some NUL bytes in it or instead of its own.
inline std::string damaged(std::string text, Damage how, test::Dice& dice) {
  if (text.empty()) return text;
  const auto at = dice.below(static_cast<std::uint32_t>(text.size()));
  switch (how) {
    case Damage::Flip:
      text[at] = static_cast<char>(text[at] ^ (1 << dice.below(8)));
      break;
    case Damage::Cut:
      text.resize(at);
      break;
    case Damage::Empty:
      text.clear();
      break;
    case Damage::Nul:
      text.replace(at, dice.chance(50) ? 3 : 0, std::string(1 + dice.below(3), '\0'));
      break;
  }
  return text;
}

class Abuse;
/// NUL bytes in a file of model_dir; `text`: there is a vocabulary.
std::unique_ptr<Abuse> nul_in_model(test::Dice& dice, bool text);

}  // namespace weft::abuse
