/// The lock that prevents two runs in one folder.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "host/checkpoint/file.hpp"
#include "host/checkpoint/heartbeat_lock.hpp"
#include "host/checkpoint/provisional.hpp"

namespace weft::checkpoint {

inline constexpr const char* kLock = ".lock";

/// Holds the lock on a folder while this object lives.
struct FolderLock {
  Descriptor file;                           ///< .lock
  std::unique_ptr<HeartbeatLock> held = {};  ///< used if the file system does not support locks

  /// True if `folder` is still the one that was locked, and this process holds the lock.
  bool has(const std::filesystem::path& folder) const;
};

/// Receives a log line about the lock.
using SayOfLock = std::function<void(const std::string& line)>;

/// Writes this process and its run into .lock; an empty run is not known yet.
void write_owner(const Descriptor& lock, const std::string& run);

/// Creates the folder, if it is missing, and locks it until the result is destroyed: `.lock` in it then names this
/// process. Adds the files and folders that it created to `made`, which must be destroyed before the result. Throws
/// Refusal, also if another process has the lock. On file systems without locks, such as some network file systems,
/// .lock.held with a heartbeat is the lock, and `say` gets a line about it.
FolderLock lock_folder(const std::filesystem::path& folder, Provisional& made, const SayOfLock& say = {});

/// True if `.lock` of the folder names another owner than this process with `run`, in which case this run must not
/// write there. False without `.lock`. May be called by any thread.
bool names_another(const std::filesystem::path& folder, const std::string& run);

/// The folder belongs, or belonged, to another run.
struct FolderTaken : Refusal {
  using Refusal::Refusal;
};

/// The error for a folder whose `.lock` names another run; the message names that run's process.
FolderTaken taken(const std::filesystem::path& folder);

/// Locks a folder again that this process had locked and that has lost its `.lock`, or was deleted. Throws FolderTaken
/// if `.lock` names another run or process; a `.lock` that names this process and `run` is accepted. `before`: the
/// previous lock.
FolderLock lock_again(const std::filesystem::path& folder, Provisional& made, const std::string& run,
                      FolderLock& before);

}  // namespace weft::checkpoint
