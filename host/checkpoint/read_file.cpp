#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <new>
#include <stdexcept>
#include <system_error>

#include "host/checkpoint/byte_source.hpp"
#include "host/checkpoint/file.hpp"
#include "sw/base/memory_room.hpp"

namespace weft::checkpoint {
namespace {

Refusal unreadable(const std::string& file, int error) {
  const bool many = error == EMFILE || error == ENFILE;
  return file_error(file, "", "cannot be read: " + std::generic_category().message(error),
                    many ? kMoreFiles : "name an existing file that you may read")
      .caused_by(error);
}

Descriptor open_regular(const std::string& file, struct stat& status) {
  // Opening a pipe must not block.
  Descriptor fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (fd.get() < 0 || ::fstat(fd.get(), &status) != 0) throw unreadable(file, errno);
  if (S_ISDIR(status.st_mode)) throw unreadable(file, EISDIR);
  if (!S_ISREG(status.st_mode))
    throw file_error(file, "", "cannot be read: it is not a regular file", "move it away, or name one that is");
  return fd;
}

std::int64_t change_of(const struct stat& status) {
  return std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
}

/// The system may grant more memory than exists, and kill the program that uses it.
bool is_beyond_memory(std::uint64_t bytes) { return static_cast<double>(bytes) > memory_room().left; }

/// Reads a whole file, as bytes or as text.
template <class Content>
Content content_of(const std::string& file, std::uint64_t most) {
  struct stat status {};
  const Descriptor fd = open_regular(file, status);
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size > most)
    throw file_error(file, "", fmt::format("has {} bytes, more than the {} allowed", size, most), "name another");
  if (is_beyond_memory(size)) throw does_not_fit(file, size);
  Content bytes;
  try {
    const MemoryBound bound;
    bytes.resize(size);
  } catch (const std::bad_alloc&) {
    throw does_not_fit(file, size);
  } catch (const std::length_error&) {
    throw does_not_fit(file, size);
  }
  std::size_t at = 0;
  while (at < bytes.size()) {
    const ssize_t count = ::read(fd.get(), bytes.data() + at, bytes.size() - at);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw unreadable(file, errno);
    if (count == 0) break;  // the file was truncated: callers detect missing data
    at += static_cast<std::size_t>(count);
  }
  bytes.resize(at);
  return bytes;
}

}  // namespace

Refusal does_not_fit(const std::string& file, std::uint64_t bytes, std::string_view more) {
  return file_error(file, "",
                    fmt::format("does not fit into memory: it has {} bytes{}; {}", bytes, more, memory_room().text()),
                    "name a smaller one, raise that limit, or take a machine with more memory");
}

FileSource::FileSource(const std::string& file, std::uint64_t most) : file_(file) {
  struct stat status {};
  fd_ = open_regular(file, status);
  size_ = static_cast<std::uint64_t>(status.st_size);
  changed_ = change_of(status);
  if (size_ > most && is_beyond_memory(size_)) throw does_not_fit(file, size_);
}

void FileSource::read(std::uint64_t at, std::span<std::uint8_t> to) const {
  while (!to.empty()) {
    const ssize_t count = ::pread(fd_.get(), to.data(), to.size(), static_cast<off_t>(at));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw unreadable(file_, errno);
    if (count == 0) throw file_error<DamagedFile>(file_, "", "was cut short while it was read", "take another copy");
    at += static_cast<std::uint64_t>(count);
    to = to.subspan(static_cast<std::size_t>(count));
  }
}

void FileSource::check() const {
  struct stat status {};
  if (::fstat(fd_.get(), &status) == 0 && static_cast<std::uint64_t>(status.st_size) == size_ &&
      change_of(status) == changed_)
    return;
  throw file_error<DamagedFile>(file_, "", "was written to while it was read",
                                "start again when no program writes to it");
}

std::vector<std::uint8_t> read_file(const std::string& file, std::uint64_t most) {
  return content_of<std::vector<std::uint8_t>>(file, most);
}

std::string read_text(const std::string& path, std::uint64_t most, std::string_view hint) {
  std::string text = content_of<std::string>(path, most);
  if (text.empty()) throw Refusal(path, "is empty", hint);
  return text;
}

}  // namespace weft::checkpoint
