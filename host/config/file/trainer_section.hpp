/// Parameter files of the Model Zoo in the style of its class Trainer: one section `trainer` that holds all others.
#pragma once

#include <vector>

#include "host/config/error_list.hpp"
#include "host/config/file/document.hpp"

namespace weft::config {

/// The keys of a section `trainer` under the names that they have in sections of their own, e.g.
/// `trainer.init.loop.max_steps` as `runconfig.max_steps`. Adds an error for each part that no key stands for.
std::vector<DocumentEntry> trainer_entries(const DocumentEntry& trainer, ErrorList& errors);

}  // namespace weft::config
