/// Damage to the bytes of a file.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "tests/random.hpp"

namespace weft::abuse {

class Abuse;
class Scene;

/// One bit flipped; cut short; empty; some NUL bytes in it, or instead of its own.
enum class Damage { Flip, Cut, Empty, Nul };
using How = std::optional<Damage>;  ///< none: drawn, but no NUL bytes

std::string damaged(const std::string& text, How how, test::Dice& dice);
/// Returns what is in the file now.
std::string damage_file(Scene& scene, const std::string& file, How how);

std::unique_ptr<Abuse> damaged_checkpoints(How how);
std::unique_ptr<Abuse> damaged_vocabulary(How how);
std::unique_ptr<Abuse> damaged_metrics(How how);

}  // namespace weft::abuse
