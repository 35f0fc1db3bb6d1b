#include "host/checkpoint/lock_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <string>
#include <system_error>

namespace weft {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAnother = "set runconfig.model_dir to a folder you may write to";

/// The file, not locked yet; none if it or its folder went meanwhile.
Descriptor open_lock(const fs::path& folder, const std::string& file, Provisional& made, bool again) {
  const std::error_code problem = made.make_folders(folder);
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) {
    const bool there = fs::exists(folder, ignored);
    const bool went = !problem || problem == std::errc::no_such_file_or_directory;
    if (again && !there && went) return Descriptor();
    throw file_error(folder.string(), "", there ? "is no folder" : "cannot be made: " + problem.message(), kAnother);
  }
  Descriptor lock(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (lock.get() >= 0 || (again && errno == ENOENT)) return lock;
  throw file_error(file, "", "cannot be opened: " + std::generic_category().message(errno), kAnother);
}

std::string owner_of(const fs::path& folder) {
  std::string line;
  std::getline(std::ifstream(folder / kLock), line);
  return line;
}

/// "1234", of a line that begins so.
std::string process_of(const std::string& owner) {
  const std::string pid = owner.substr(0, owner.find(' '));
  return pid.empty() ? "unknown" : printable(pid);
}

Refusal in_use(const fs::path& folder) {
  return file_error(folder.string(), "", "is in use by process " + process_of(owner_of(folder)),
                    "wait for its end, or set another runconfig.model_dir");
}

FolderTaken taken(const fs::path& folder) {
  return {folder.string(), "had no .lock for a moment, and was taken by process " + process_of(owner_of(folder)),
          "wait for its end, or set another runconfig.model_dir"};
}

std::string owner_line(const std::string& run) { return std::to_string(::getpid()) + (run.empty() ? "" : " " + run); }

/// Locks what is open.
void take(const Descriptor& lock, const fs::path& folder) {
  if (::flock(lock.get(), LOCK_EX | LOCK_NB) == 0) return;
  if (errno == EWOULDBLOCK) throw in_use(folder);
  throw file_error((folder / kLock).string(), "",  // e.g. a network's file system
                   "cannot be locked: " + std::generic_category().message(errno),
                   "set runconfig.model_dir to a folder on a disk of this machine");
}

}  // namespace

void write_owner(const Descriptor& lock, const std::string& run) {
  const std::string line = owner_line(run) + "\n";
  [[maybe_unused]] const bool named =  // else others do not see by whom they are refused
      ::ftruncate(lock.get(), 0) == 0 && ::pwrite(lock.get(), line.data(), line.size(), 0) > 0;
}

/// The folder is his who has the lock on the file that is called .lock, and nobody else removes that file. So two never
/// have it. Who opened .lock before its owner removed it is granted a lock on it afterwards, but sees that this file
/// has the name no longer, and begins again.
Descriptor lock_folder(const fs::path& folder, Provisional& made) {
  constexpr int kAttempts = 1000;  // while other runs come and go
  const std::string file = (folder / kLock).string();
  for (int attempt = 1;; ++attempt) {
    const std::lock_guard making_it(making());
    Descriptor lock = open_lock(folder, file, made, attempt < kAttempts);
    if (lock.get() < 0) continue;
    take(lock, folder);
    if (!has_name(lock, file)) {
      if (attempt < kAttempts) continue;
      throw file_error(file, "", "is another file each time it is looked at", kAnother);
    }
    if (::lseek(lock.get(), 0, SEEK_END) == 0) made.add(file);  // nobody had it before
    write_owner(lock, "");
    return lock;
  }
}

Descriptor lock_again(const fs::path& folder, Provisional& made, const std::string& run) {
  const std::lock_guard making_it(making());
  const std::error_code problem = made.make_folders(folder);
  const std::string file = (folder / kLock).string();
  std::error_code ignored;
  if (fs::exists(file, ignored) && owner_of(folder) != owner_line(run)) throw taken(folder);
  Descriptor lock(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666));
  if (lock.get() < 0) {
    const int error = errno;
    throw file_error(folder.string(), "",
                     "cannot be made again: " + (problem ? problem.message() : std::generic_category().message(error)),
                     kAnother);
  }
  if (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0 || !has_name(lock, file)) throw taken(folder);
  const std::string before = owner_of(folder);  // of one who was faster, and has ended
  if (!before.empty() && before != owner_line(run)) throw taken(folder);
  return lock;
}

}  // namespace weft
