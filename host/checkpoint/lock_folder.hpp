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

/// Another run has the folder, or had it.
struct FolderTaken : Refusal {
  using Refusal::Refusal;
};

/// The same for a folder that was ours and has lost its `.lock`, or is gone. One that has a `.lock` of another run, or
/// process, is taken; a copy of our own (`run`) is as good as none.
Descriptor lock_again(const std::filesystem::path& folder, Provisional& made, const std::string& run);

}  // namespace weft
