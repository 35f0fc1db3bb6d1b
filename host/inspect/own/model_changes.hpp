/// The changes of all tiles during a run on the functional model.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "host/inspect/own/changes.hpp"
#include "host/programs/replay.hpp"

namespace weft::inspect::own {

struct ModelChanges {
  using ByPlace = std::unordered_map<std::uint32_t, std::vector<Change>>;  ///< keys of Place

  std::vector<ByPlace> tiles;  ///< [row * cols + col]; Change::time counts moves of the model
  std::string stopped;         ///< why the run did not end; empty if it did
  bool interrupted = false;
};

/// Executes the run. `interrupted` is asked from time to time. Throws Refusal for a run of more than 2^25 changes.
ModelChanges model_changes(const weft::programs::Replay& run, const std::function<bool()>& interrupted);

}  // namespace weft::inspect::own
