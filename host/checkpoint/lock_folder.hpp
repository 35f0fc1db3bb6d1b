/// The lock that keeps a second run out of a folder.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "host/checkpoint/file.hpp"
#include "host/checkpoint/heartbeat_lock.hpp"
#include "host/checkpoint/provisional.hpp"

namespace weft {

inline constexpr const char* kLock = ".lock";

/// A folder is locked while this object lives.
struct FolderLock {
  Descriptor file;                           ///< .lock
  std::unique_ptr<HeartbeatLock> held = {};  ///< where the file system cannot lock that

  /// True if `folder` still is the one that was locked, and this process holds the lock.
  bool has(const std::filesystem::path& folder) const;
};

/// A line about the lock, for the log.
using SayOfLock = std::function<void(const std::string& line)>;

/// Writes this process into .lock, and which run it is; empty: not known yet.
void write_owner(const Descriptor& lock, const std::string& run);

/// Makes the folder, if it is missing, and locks it until the result goes: `.lock` in it then names this process. Adds
/// what it made to `made`, which must go before the result does. Throws Refusal, also if another has it. Where the file
/// system has no locks, as some on a network, .lock.held with a heartbeat is the lock, and `say` gets a line about it.
FolderLock lock_folder(const std::filesystem::path& folder, Provisional& made, const SayOfLock& say = {});

/// True if `.lock` of the folder names another owner than this process with `run`: what this run would write there now
/// belongs to another one. False without `.lock`. Another thread than that of the lock's owner may ask.
bool names_another(const std::filesystem::path& folder, const std::string& run);

/// Another run has the folder, or had it.
struct FolderTaken : Refusal {
  using Refusal::Refusal;
};

/// The refusal of a folder whose `.lock` is another run's; its message names that run's process.
FolderTaken taken(const std::filesystem::path& folder);

/// Locks a folder again that was this process's and has lost its `.lock`, or is gone. One that has a `.lock` of another
/// run, or process, is taken; a copy of our own (`run`) is as good as none. `before`: the lock that it had.
FolderLock lock_again(const std::filesystem::path& folder, Provisional& made, const std::string& run,
                      FolderLock& before);

}  // namespace weft
