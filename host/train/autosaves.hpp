/// Checkpoints that a run has saved by time alone.
#pragma once

#include <cstdint>
#include <optional>
#include <set>

#include "host/checkpoint/model_folder.hpp"

namespace weft {

/// Key in the header of a checkpoint that was saved by time alone.
inline constexpr const char* kAutosave = "autosave";

/// Steps of the autosaves in a run's folder. A file whose header cannot be read counts as none.
std::set<std::uint64_t> find_autosaves(const ModelFolder& folder);

/// Deletes the autosaves of `steps`, but for that of step `kept`; none if no other checkpoint is there. Steps whose
/// file cannot be deleted stay in `steps`.
void drop_autosaves(const ModelFolder& folder, std::set<std::uint64_t>& steps, std::optional<std::uint64_t> kept);

}  // namespace weft
