#include "host/checkpoint/lock_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include "host/checkpoint/creation_lock.hpp"

namespace weft::checkpoint {
namespace {

namespace fs = std::filesystem;

constexpr const char* kNoLock = "move it away, or set another runconfig.model_dir";
constexpr const char* kAnother = "set runconfig.model_dir to a folder you may write to";

/// Returns -1 with errno set if the file cannot be opened: ELOOP for a link, whose target would be overwritten; ENOTSUP
/// if it is not a regular file.
Descriptor open_file(const std::string& file) {
  Descriptor lock(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666));
  struct stat status {};
  if (lock.get() < 0 || (::fstat(lock.get(), &status) == 0 && S_ISREG(status.st_mode))) return lock;
  lock = Descriptor();
  errno = ENOTSUP;
  return lock;
}

/// Opens the file without locking it; none if the file or its folder was removed meanwhile.
Descriptor open_lock(const fs::path& folder, const std::string& file, Provisional& made, bool again) {
  const std::error_code problem = made.make_folders(folder);
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) {
    const bool there = fs::exists(folder, ignored);
    const bool went = !problem || problem == std::errc::no_such_file_or_directory;
    if (again && !there && went) return Descriptor();
    if (!there && fs::is_symlink(folder, ignored))
      throw file_error(folder.string(), "", "is a broken link: " + fs::read_symlink(folder, ignored).string(),
                       "make that folder, or set another runconfig.model_dir");
    throw file_error(folder.string(), "", there ? "is not a folder" : "cannot be made: " + problem.message(), kAnother)
        .caused_by(problem.value());
  }
  Descriptor lock = open_file(file);
  if (lock.get() >= 0 || (again && errno == ENOENT)) return lock;
  if (errno == ELOOP)
    throw file_error(file, "", "is a symbolic link: a lock must be a file in the folder itself", kNoLock);
  if (errno == EISDIR || errno == ENOTSUP) throw file_error(file, "", "is not a regular file", kNoLock);
  const int error = errno;
  struct stat about {};
  if (error == EACCES && ::stat(folder.c_str(), &about) == 0 && about.st_uid == ::geteuid() &&
      (about.st_mode & S_IRWXU) != S_IRWXU)
    throw file_error(
        folder.string(), "",
        fmt::format("has mode {:04o}: its owner, the user of this process, has no access to it", about.st_mode & 07777),
        "chmod u+rwx the folder if it existed before, and set a umask such as 022");
  throw file_error(file, "", "cannot be opened: " + std::generic_category().message(error), kAnother).caused_by(error);
}

/// The first line of .lock; empty if there is none, or no regular file of this name. Does not block on a pipe.
std::string owner_of(const fs::path& folder) {
  const Descriptor lock(::open((folder / kLock).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  std::array<char, 256> bytes{};
  const ssize_t count = lock.get() < 0 ? 0 : ::read(lock.get(), bytes.data(), bytes.size());
  const std::string text(bytes.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  return text.substr(0, text.find('\n'));
}

/// The process id at the start of a line, e.g. "1234".
std::string process_of(const std::string& owner) {
  const std::string pid = owner.substr(0, owner.find(' '));
  return pid.empty() ? "unknown" : printable(pid);
}

Refusal in_use(const fs::path& folder, const std::string& owner) {
  return file_error(folder.string(), "", "is in use by " + owner,
                    "wait for its end, or set another runconfig.model_dir");
}

std::string owner_line(const std::string& run) { return std::to_string(::getpid()) + (run.empty() ? "" : " " + run); }

/// True for errors of flock if the file system, or the server behind it, does not support locks.
bool has_no_locks(int error) { return error == ENOLCK || error == EOPNOTSUPP || error == ENOSYS || error == EINVAL; }

/// Locks the open file. Returns 0, or the error of flock if locks are not supported.
int take(const Descriptor& lock, const fs::path& folder) {
  if (::flock(lock.get(), LOCK_EX | LOCK_NB) == 0) return 0;
  if (errno == EWOULDBLOCK) throw in_use(folder, "process " + process_of(owner_of(folder)));
  if (has_no_locks(errno)) return errno;
  throw file_error((folder / kLock).string(), "", "cannot be locked: " + std::generic_category().message(errno),
                   kAnother)
      .caused_by(errno);
}

bool is_there(const fs::path& file) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(file, ignored));
}

}  // namespace

void write_owner(const Descriptor& lock, const std::string& run) {
  const std::string line = owner_line(run) + "\n";
  [[maybe_unused]] const bool named =  // only informs other processes
      ::ftruncate(lock.get(), 0) == 0 && ::pwrite(lock.get(), line.data(), line.size(), 0) > 0;
}

FolderTaken taken(const fs::path& folder) {
  return {folder.string(), "had no .lock for a moment, and was taken by process " + process_of(owner_of(folder)),
          "wait for its end, or set another runconfig.model_dir"};
}

bool names_another(const fs::path& folder, const std::string& run) {
  const std::string owner = owner_of(folder);
  return !owner.empty() && owner != owner_line(run);
}

bool FolderLock::has(const fs::path& folder) const {
  return has_name(file, (folder / kLock).string()) && (!held || held->is_held_in(folder));
}

/// The process that holds the lock on .lock owns the folder, and no other process removes that file: two processes
/// never own the folder. A process that opened .lock before its owner removed it gets a lock afterwards, but notices
/// that the file has lost its name, and starts over.
///
/// Without locks the process that created .lock.held owns the folder. A process with locks respects that file, too:
/// another host may not support locks.
FolderLock lock_folder(const fs::path& folder, Provisional& made, const SayOfLock& say) {
  constexpr int kAttempts = 1000;  // other runs may repeatedly create and remove the lock
  const std::string file = (folder / kLock).string();
  const fs::path held = folder / HeartbeatLock::kName;
  for (int attempt = 1;; ++attempt) {
    {
      const std::lock_guard making_it(making());
      FolderLock lock{.file = open_lock(folder, file, made, attempt < kAttempts)};
      if (lock.file.get() < 0) continue;
      const int without = take(lock.file, folder);
      if (without != 0) lock.held = HeartbeatLock::take(folder);
      const bool free = without != 0 ? lock.held != nullptr : !is_there(held);
      if (free && has_name(lock.file, file)) {
        if (::lseek(lock.file.get(), 0, SEEK_END) == 0) made.add(file);  // no owner before
        if (lock.held) made.add(held);
        write_owner(lock.file, "");
        if (lock.held && say)
          say(fmt::format("{} is the lock of this run, with a heartbeat, since its file system has no file locks ({})",
                          held.string(), std::generic_category().message(without)));
        return lock;
      }
      if (free && attempt >= kAttempts)
        throw file_error(file, "", "is replaced by another file at each check", kAnother);
    }
    // The mutex must not be held here, since a signal needs it to end the program: a heartbeat may take half a minute.
    if (const auto owner = HeartbeatLock::owner(folder, say)) throw in_use(folder, *owner);
    if (attempt >= kAttempts) throw file_error(held.string(), "", "appears and disappears repeatedly", kAnother);
  }
}

FolderLock lock_again(const fs::path& folder, Provisional& made, const std::string& run, FolderLock& before) {
  const std::lock_guard making_it(making());
  const std::error_code problem = made.make_folders(folder);
  const std::string file = (folder / kLock).string();
  std::error_code ignored;
  const bool there = fs::is_regular_file(fs::symlink_status(file, ignored));
  if (there && owner_of(folder) != owner_line(run)) throw taken(folder);
  Descriptor lock = open_file(file);
  if (lock.get() < 0) {
    const int error = errno;
    throw file_error(folder.string(), "",
                     "cannot be made again: " + (problem ? problem.message() : std::generic_category().message(error)),
                     kAnother)
        .caused_by(problem ? problem.value() : error);
  }
  if (!has_name(lock, file)) throw taken(folder);
  FolderLock again{.file = std::move(lock)};
  if (::flock(again.file.get(), LOCK_EX | LOCK_NB) != 0) {
    if (!has_no_locks(errno)) throw taken(folder);
    const bool kept = before.held && before.held->is_held_in(folder);
    again.held = kept ? std::move(before.held) : HeartbeatLock::take(folder);
    if (!again.held)
      throw FolderTaken(folder.string(),
                        "was taken by " + HeartbeatLock::owner_name(folder) + ", which saw no heartbeat",
                        "wait for its end, or set another runconfig.model_dir");
  }
  if (names_another(folder, run)) throw taken(folder);  // written by a run that has already ended
  return again;
}

}  // namespace weft::checkpoint
