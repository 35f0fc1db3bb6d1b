#include "host/checkpoint/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <iterator>
#include <mutex>
#include <set>
#include <system_error>
#include <tuple>
#include <utility>

#include "host/checkpoint/creation_lock.hpp"
#include "sw/base/part_name.hpp"

namespace weft::checkpoint {
namespace {

namespace fs = std::filesystem;

std::string reason(int error) { return std::generic_category().message(error); }

/// `opened`: writing to this place was possible before.
Refusal write_error(const std::string& file, int error, bool opened = true) {
  const bool full = error == ENOSPC || error == EDQUOT;
  if (error == EMFILE || error == ENFILE) {
    return file_error(file, "", "cannot be written: " + reason(error), kMoreFiles);
  }
  // EROFS after a successful open means that the file system has failed; otherwise the place is wrong.
  const int cause = error == EROFS && opened ? EIO : error;
  return file_error(file, "", "cannot be written: " + reason(error),
                    error == EFBIG ? "raise the limit on the size of a file (ulimit -f), or name another file system"
                    : full         ? "make room, or name a place on another disk"
                                   : "name a place where you may write")
      .caused_by(cause);
}

/// The unfinished files of this process: a checkpoint concurrently with training, and small files.
class Unfinished {
 public:
  void add(int folder, const std::string& name) {
    const std::lock_guard lock(making());
    files_.emplace_back(folder, name);
  }
  void leave(int folder, const std::string& name) {
    const std::lock_guard lock(making());
    std::erase(files_, std::pair(folder, name));
  }
  void remove() {
    const std::lock_guard lock(making());
    for (const auto& [folder, name] : files_) ::unlinkat(folder, name.c_str(), 0);
  }

 private:
  std::vector<std::pair<int, std::string>> files_;  // descriptor of the folder, name
};
Unfinished unfinished;

/// Removes files left by ended processes, once for each folder that this process writes to.
void clean_once(const Descriptor& open, const std::string& folder) {
  static std::mutex mutex;
  static std::set<std::tuple<dev_t, ino_t, std::string>> cleaned;  // with the name, as inode numbers are reused
  struct stat status {};
  const std::lock_guard lock(mutex);
  if (::fstat(open.get(), &status) == 0 && cleaned.emplace(status.st_dev, status.st_ino, folder).second)
    remove_left_parts(folder);
}

std::shared_ptr<const Descriptor> folder_of(const fs::path& target) {
  const std::string parent = target.parent_path().string(), folder = parent.empty() ? "." : parent;
  auto open = std::make_shared<const Descriptor>(open_folder(folder));
  if (open->get() < 0) throw write_error(target.string(), errno, false);
  clean_once(*open, folder);
  return open;
}

/// True for folders of devices and open files of processes (/dev/stdout, /dev/fd/3), where a rename would remove a
/// name.
bool in_folder_of_devices(const fs::path& target) {
  std::error_code error;
  const fs::path folder = fs::canonical(target.has_parent_path() ? target.parent_path() : ".", error);
  return !error && (folder == "/dev" || *std::next(folder.begin(), folder == "/" ? 0 : 1) == "proc");
}

/// Creates a new file; fails if the name exists, also as a symbolic link.
Descriptor open_new(int folder, const std::string& name) {
  constexpr int kHow = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  return Descriptor(::openat(folder, name.c_str(), kHow, 0666));
}

}  // namespace

void write_all(int fd, std::span<const std::uint8_t> bytes, const std::string& file) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(fd, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw write_error(file, errno);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
}

AtomicFile::AtomicFile(const fs::path& target) : AtomicFile(target, folder_of(target)) {}
AtomicFile::AtomicFile(const fs::path& target, const AtomicFile& other) : AtomicFile(target, other.folder_) {}

AtomicFile::AtomicFile(const fs::path& target, std::shared_ptr<const Descriptor> folder)
    : path_(target.string()), name_(target.filename().string()), folder_(std::move(folder)) {
  struct stat there {};
  if (::stat(path_.c_str(), &there) == 0 && !S_ISREG(there.st_mode) && !S_ISDIR(there.st_mode))
    throw file_error(path_, "", "exists and is not a regular file, and would be replaced by one", "name another");
  if (in_folder_of_devices(target))
    throw file_error(path_, "", "is in a folder of devices, where no file can be created", "name another");
  constexpr int kMost = 100;  // maximum number of attempts to find a free name
  const std::lock_guard lock(making());
  for (int n = 0; n < kMost; ++n) {
    part_ = part_name(name_);
    fd_ = open_new(folder_->get(), part_);
    if (fd_.get() >= 0 || errno != EEXIST) break;
  }
  const int error = errno;
  if (fd_.get() >= 0) {
    unfinished.add(folder_->get(), part_);
    return;
  }
  part_.clear();
  throw write_error(path_, error, false);
}

AtomicFile::~AtomicFile() {
  if (part_.empty()) return;
  ::unlinkat(folder_->get(), part_.c_str(), 0);
  unfinished.leave(folder_->get(), part_);
}

/// Truncates the file, because on a full disk the space is needed to report the error.
void AtomicFile::give_up(int error) {
  if (::ftruncate(fd_.get(), 0) != 0) errno = 0;  // the file is removed anyway
  throw write_error(path_, error);
}

void AtomicFile::write(std::span<const std::uint8_t> bytes) { write_all(fd_.get(), bytes, path_); }
void AtomicFile::write(std::string_view text) {
  write({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

void AtomicFile::write_at(std::uint64_t offset, std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::pwrite(fd_.get(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) give_up(errno);
    offset += static_cast<std::uint64_t>(count);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
}

void AtomicFile::finish() {
  if (fd_.get() < 0) return;
  if (::fsync(fd_.get()) != 0) throw write_error(path_, errno);
  fd_ = Descriptor();
}

void AtomicFile::commit() {
  finish();
  publish();
  sync_folder(*folder_, path_);
}

std::string AtomicFile::part() const { return (fs::path(path_).parent_path() / part_).string(); }

void AtomicFile::publish() {
  const std::lock_guard lock(making());
  if (::renameat(folder_->get(), part_.c_str(), folder_->get(), name_.c_str()) != 0) throw write_error(path_, errno);
  unfinished.leave(folder_->get(), part_);
  part_.clear();
}

void discard_unfinished() noexcept { unfinished.remove(); }

bool has_name(int file, const std::string& name) {
  struct stat open {
  }, named{};
  return ::fstat(file, &open) == 0 && ::stat(name.c_str(), &named) == 0 && open.st_dev == named.st_dev &&
         open.st_ino == named.st_ino;
}

Descriptor open_folder(const std::string& folder) {
  return Descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

void sync_folder(const Descriptor& folder, const std::string& file) {
  // Some file systems cannot fsync folders and return EINVAL.
  if (::fsync(folder.get()) != 0 && errno != EINVAL) throw write_error(file, errno);
}

void remove_unfinished(const fs::path& folder) {
  for (const fs::path& own : {folder, folder / "train"}) remove_left_parts(own, true);  // others may be other runs'
}

}  // namespace weft::checkpoint
