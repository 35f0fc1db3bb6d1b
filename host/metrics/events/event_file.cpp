#include "host/metrics/events/event_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <mutex>
#include <system_error>
#include <vector>

#include "host/checkpoint/creation_lock.hpp"
#include "host/checkpoint/file.hpp"
#include "host/checkpoint/provisional.hpp"
#include "host/metrics/events/event.hpp"
#include "sw/base/crc32c.hpp"

namespace weft::metrics {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "events.out.tfevents.";

std::span<const std::uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::string little_endian(std::uint64_t value, int count) {
  std::string bytes;
  for (int i = 0; i < count; ++i) bytes += static_cast<char>(value >> (8 * i));
  return bytes;
}

/// Masked (rotated and offset), so that the checksum of data containing checksums stays reliable.
std::string masked_crc(std::string_view text) {
  const std::uint32_t crc = crc32c(bytes_of(text));
  return little_endian((crc >> 15 | crc << 17) + 0xa282ead8U, 4);
}

std::string host_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0 || name[0] == '\0') return "localhost";
  std::string host = name.data();
  std::ranges::replace(host, '/', '_');
  return host;
}

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code ignored;  // a missing folder has no files
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (entry.path().filename().string().starts_with(kPrefix)) files.push_back(entry.path());
  return files;
}

/// Time in the name of the newest file; -1 if there is none.
std::int64_t newest_seconds(const fs::path& folder) {
  std::int64_t newest = -1;
  for (const fs::path& file : files_in(folder)) {
    const std::string name = file.filename().string();
    std::int64_t seconds = -1;
    std::from_chars(name.data() + kPrefix.size(), name.data() + name.size(), seconds);
    newest = std::max(newest, seconds);
  }
  return newest;
}

constexpr std::size_t kHead = 12, kTail = 4;  // bytes of a record before and after the event

std::uint64_t number_in(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<std::uint8_t>(bytes[i]);
  return value;
}

/// True if two events differ only in the wall time, which is the first field, and the contents of the summary, the
/// last.
bool is_of_step(std::string_view event, std::string_view empty) {
  constexpr std::size_t kWallTime = 9;
  const std::string_view step = empty.substr(kWallTime, empty.size() - kWallTime - 1);  // with the summary's key
  return event.size() > empty.size() && event.substr(kWallTime).starts_with(step);
}

}  // namespace

std::string event_record(std::string_view event) {
  const std::string length = little_endian(event.size(), 8);
  return length + masked_crc(length) + std::string(event) + masked_crc(event);
}

bool has_summary(const fs::path& folder, std::uint64_t step) {
  const std::string wanted = Summary().event(step);
  for (const fs::path& file : files_in(folder)) {
    const std::vector<std::uint8_t> bytes = checkpoint::read_file(file.string());
    std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    while (text.size() >= kHead + kTail) {
      const std::uint64_t length = number_in(text.substr(0, 8));
      if (length > text.size() - kHead - kTail) break;
      if (is_of_step(text.substr(kHead, length), wanted)) return true;
      text.remove_prefix(kHead + length + kTail);
    }
  }
  return false;
}

EventFile::EventFile(const fs::path& folder, std::string_view records) {
  std::error_code ignored;  // if the folder cannot be created, creating the file fails
  const std::int64_t now =
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
  {
    const std::lock_guard lock(checkpoint::making());
    fs::create_directory(folder, ignored);
  }
  const std::int64_t seconds = std::max(now, newest_seconds(folder) + 1);
  name_ = fmt::format("{}{:010}.{}.{}", kPrefix, seconds, host_name(), ::getpid());
  path_ = (folder / name_).string();
  fd_ = Descriptor(::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666));
  if (fd_.get() < 0) {
    throw checkpoint::file_error(path_, "", "cannot be made: " + std::generic_category().message(errno),
                                 "make room, or set runconfig.model_dir to a folder you may write to")
        .caused_by(errno);
  }
  try {
    add(event_record(version_event(static_cast<double>(seconds))).append(records));
  } catch (const Refusal&) {
    ::unlink(path_.c_str());
    throw;
  }
  checkpoint::sync_folder(checkpoint::open_folder(folder.string()), path_);
}

void EventFile::add(std::string_view records) {
  const off_t end = ::lseek(fd_.get(), 0, SEEK_END);
  try {
    checkpoint::write_all(fd_.get(), bytes_of(records), path_);
  } catch (const Refusal&) {
    [[maybe_unused]] const int cut = ::ftruncate(fd_.get(), end);  // otherwise readers would wait for the rest forever
    throw;
  }
}

bool EventFile::is_in(const fs::path& folder) const { return checkpoint::has_name(fd_, (folder / name_).string()); }

void EventFile::sync() {
  if (::fsync(fd_.get()) != 0) {
    throw checkpoint::file_error(path_, "", "cannot be written any more: " + std::generic_category().message(errno),
                                 "check the disk")
        .caused_by(EIO);
  }
}

}  // namespace weft::metrics
