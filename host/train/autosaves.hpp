/// Autosaves: checkpoints that a run saved only because of the time elapsed.
#pragma once

#include <cstdint>
#include <optional>
#include <set>

#include "host/checkpoint/model_folder.hpp"

namespace weft::train {

/// Key in the header of an autosave.
inline constexpr const char* kAutosave = "autosave";

/// Steps of the autosaves in a run's folder. A file whose header cannot be read does not count.
std::set<std::uint64_t> find_autosaves(const checkpoint::ModelFolder& folder);

/// Deletes the autosaves of `steps`, except that of step `kept`; none if there is no other checkpoint. Steps whose file
/// cannot be deleted stay in `steps`.
void drop_autosaves(const checkpoint::ModelFolder& folder, std::set<std::uint64_t>& steps,
                    std::optional<std::uint64_t> kept);

}  // namespace weft::train
