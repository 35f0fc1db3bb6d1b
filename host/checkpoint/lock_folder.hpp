/// The lock that keeps a second run out of a folder.
#pragma once

#include <filesystem>

#include "host/checkpoint/file.hpp"
#include "host/checkpoint/provisional.hpp"

namespace weft {

inline constexpr const char* kLock = ".lock";

/// Writes this process into it, and which run it is; empty: not known yet.
void write_owner(const Descriptor& lock, const std::string& run);

/// Makes the folder, if it is missing, and locks it until the result is closed: `.lock` in it then names this process.
/// Adds what it made to `made`, which must go before the result does. Throws Refusal, also if another has it.
Descriptor lock_folder(const std::filesystem::path& folder, Provisional& made);

/// The same for a folder that was ours and has lost its `.lock`, or is gone. Refuses one that has a `.lock`: somebody
/// else has it, or had it meanwhile.
Descriptor lock_again(const std::filesystem::path& folder, Provisional& made);

/// Whether the file or folder that is open is the one that has the name.
bool has_name(const Descriptor& file, const std::string& name);

}  // namespace weft
