/// A lock on a folder for file systems without locks: a file that only one process can create, and that its owner keeps
/// changing.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "sw/base/descriptor.hpp"

namespace weft::checkpoint {

struct HeartbeatTimes {
  std::chrono::milliseconds beat{2000};    ///< between two changes of the file
  std::chrono::milliseconds stale{30000};  ///< owner on another host is dead if its file is unchanged for so long
};

/// The lock is held while the object lives: FOLDER/.lock.held names host and process. Clocks of hosts need not agree: a
/// waiting process measures with its own clock for how long the file has not changed.
class HeartbeatLock {
 public:
  static constexpr const char* kName = ".lock.held";

  /// Creates the file. Null if it exists. Throws Refusal if the file cannot be created.
  static std::unique_ptr<HeartbeatLock> take(const std::filesystem::path& folder, const HeartbeatTimes& times = {});

  /// The owner of the folder, as "process 12 on n2". Empty if there is none; the file of a dead owner is removed. An
  /// owner on this host is dead if its process has ended. For an owner on another host this function calls `say`, then
  /// waits until the file changes, for `times.stale` at most.
  static std::optional<std::string> owner(const std::filesystem::path& folder,
                                          const std::function<void(const std::string&)>& say,
                                          const HeartbeatTimes& times = {});

  /// The owner that the file names, dead or alive.
  static std::string owner_name(const std::filesystem::path& folder);

  ~HeartbeatLock();
  HeartbeatLock(const HeartbeatLock&) = delete;
  HeartbeatLock& operator=(const HeartbeatLock&) = delete;

  /// True if the file is still the one that was created, even if the folder has moved.
  bool is_held() const;
  /// True if `folder` is the one that was locked, and this process still holds the lock.
  bool is_held_in(const std::filesystem::path& folder) const;

 private:
  HeartbeatLock(Descriptor folder, Descriptor file, const HeartbeatTimes& times);
  void beat(std::uint64_t count) const noexcept;
  void run(std::chrono::milliseconds time);

  Descriptor folder_, file_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool ends_ = false;
  std::thread thread_;
};

/// True if the process with this id is still the one that began at `start` (in ticks, as in /proc/PID/stat).
bool process_lives(pid_t process, std::uint64_t start);
/// Start time of a process; 0: unknown.
std::uint64_t process_start(pid_t process);

}  // namespace weft::checkpoint
