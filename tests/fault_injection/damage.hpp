/// Damage to the bytes of a file.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "tests/random.hpp"

namespace weft::fault_injection {

class Fault;
class Scene;

/// One flipped bit, a truncated file, an empty file, or NUL bytes inserted or in place of other bytes.
enum class Damage { Flip, Cut, Empty, Nul };
using How = std::optional<Damage>;  ///< none: drawn at random, without Nul

std::string damaged(const std::string& text, How how, test::Rng& rng);
/// Damages `file` and returns its new content.
std::string damage_file(Scene& scene, const std::string& file, How how);

std::unique_ptr<Fault> damaged_checkpoints(How how);
std::unique_ptr<Fault> damaged_vocabulary(How how);
std::unique_ptr<Fault> damaged_metrics(How how);

}  // namespace weft::fault_injection
