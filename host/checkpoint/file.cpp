#include "host/checkpoint/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>
#include <utility>

namespace weft {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSuffix = ".weft-part";

std::string reason(int error) { return std::generic_category().message(error); }

Refusal write_error(const std::string& file, int error) {
  const bool full = error == ENOSPC || error == EDQUOT || error == EFBIG;
  return file_error(file, "", "cannot be written: " + reason(error),
                    full ? "make room, or set runconfig.model_dir to a folder on another disk"
                         : "set runconfig.model_dir to a folder you may write to");
}

/// A name for a signal's handler.
class Name {
 public:
  void set(const std::string& name) {
    there_ = 0;
    if (name.empty() || name.size() >= text_.size()) return;
    std::memcpy(text_.data(), name.c_str(), name.size() + 1);
    there_ = 1;
  }
  const char* get() const { return there_ != 0 ? text_.data() : nullptr; }

 private:
  std::array<char, 4096> text_{};
  volatile std::sig_atomic_t there_ = 0;
};

Name unfinished;  // being written; one at a time: what is written is written in turn

void sync_folder(const std::string& folder, const std::string& file) {
  const Descriptor fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // Some file systems have no fsync of folders and say EINVAL.
  if (fd.get() < 0 || (::fsync(fd.get()) != 0 && errno != EINVAL)) throw write_error(file, errno);
}

}  // namespace

Descriptor::Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}
Descriptor::~Descriptor() {
  if (fd_ >= 0) ::close(fd_);
}

void write_all(int fd, std::span<const std::uint8_t> bytes, const std::string& file) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(fd, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw write_error(file, errno);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
}

AtomicFile::AtomicFile(const fs::path& target)
    : target_(target.string()),
      temporary_((target.parent_path() / ("." + target.filename().string() + std::string(kSuffix))).string()) {
  unfinished.set(temporary_);
  fd_ = Descriptor(::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (fd_.get() >= 0) return;
  const int error = errno;
  unfinished.set({});
  throw write_error(target_, error);
}

AtomicFile::~AtomicFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  unfinished.set({});
}

void AtomicFile::write(std::span<const std::uint8_t> bytes) { write_all(fd_.get(), bytes, target_); }
void AtomicFile::write(std::string_view text) {
  write({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

void AtomicFile::commit() {
  if (::fsync(fd_.get()) != 0) throw write_error(target_, errno);
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) throw write_error(target_, errno);
  temporary_.clear();
  unfinished.set({});
  const std::string folder = fs::path(target_).parent_path().string();
  sync_folder(folder.empty() ? "." : folder, target_);
}

void discard_unfinished() noexcept {
  if (unfinished.get() != nullptr) ::unlink(unfinished.get());
}

void remove_unfinished(const fs::path& folder) {
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (at.depth() == 1) at.disable_recursion_pending();
    const std::string name = at->path().filename().string();
    std::error_code ignored;
    if (name.starts_with('.') && name.ends_with(kSuffix)) fs::remove(at->path(), ignored);
  }
}

}  // namespace weft
