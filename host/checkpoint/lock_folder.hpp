/// The lock that keeps a second run out of a folder.
#pragma once

#include <filesystem>

#include "host/checkpoint/file.hpp"
#include "host/checkpoint/provisional.hpp"

namespace weft {

/// Makes the folder, if it is missing, and locks it until the result is closed: `.lock` in it then names this process.
/// Adds what it made to `made`, which must go before the result does. Throws Refusal, also if another has it.
Descriptor lock_folder(const std::filesystem::path& folder, Provisional& made);

}  // namespace weft
