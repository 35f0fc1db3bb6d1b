#include "host/metrics/metrics.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "host/checkpoint/creation_lock.hpp"
#include "host/checkpoint/lock_folder.hpp"
#include "host/checkpoint/provisional.hpp"
#include "host/checkpoint/seal.hpp"

namespace weft::metrics {
namespace {

namespace fs = std::filesystem;

/// Reads the whole content of an open file, which may have been renamed.
std::string content_of(const Descriptor& file) {
  std::string text;
  char some[65536];
  for (;;) {
    const ssize_t count = ::pread(file.get(), some, sizeof some, static_cast<off_t>(text.size()));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(some, static_cast<std::size_t>(count));
  }
}

std::string free_name(const fs::path& file) {
  std::error_code ignored;
  for (int n = 1;; ++n) {
    const fs::path name = file.parent_path() / fmt::format("metrics.old{}.jsonl", n);
    if (!fs::exists(fs::symlink_status(name, ignored))) return name.string();
  }
}

}  // namespace

std::optional<StepMetrics> last_metrics(const std::string& model_dir, const std::string& run,
                                        const MetricsBefore& before) {
  const std::string file = (fs::path(model_dir) / "metrics.jsonl").string();
  try {
    const std::vector<std::uint8_t> bytes = checkpoint::read_file(file);
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return parse_metrics(last_line(lines_up_to(file, text, run, before)));
  } catch (const Refusal&) {
    return std::nullopt;
  }
}

MetricsFile::MetricsFile(const std::string& model_dir, std::string run, const MetricsBefore& before)
    : path_((fs::path(model_dir) / "metrics.jsonl").string()),
      run_(std::move(run)),
      first_(std::max<std::uint64_t>(before.first, 1)) {
  std::error_code ignored;  // if the folder cannot be created, opening the file fails
  {
    const std::lock_guard lock(checkpoint::making());
    fs::create_directories(model_dir, ignored);
  }
  std::string lines;
  if (fs::exists(fs::symlink_status(path_, ignored))) {
    const std::vector<std::uint8_t> bytes = checkpoint::read_file(path_);
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (before.keep > 0) {
      lines = lines_up_to(path_, text, run_, before);
      first_ = first_step(lines);
      last_ = parse_metrics(last_line(lines));
    } else if (!is_of_run(text, run_)) {
      const std::string other = free_name(path_);
      fs::rename(path_, other, ignored);
      note_ = fmt::format("note    metrics.jsonl belonged to another run and was renamed to {}", other);
    }
  } else if (before.keep > 0) {
    note_ = fmt::format("note    {} does not exist: the new file begins with step {}", path_, before.keep + 1);
    first_ = before.keep + 1;
  }
  checkpoint::AtomicFile file(path_);
  file.write(lines);
  file.commit();
  open();
}

void MetricsFile::open() {
  fd_ = Descriptor(::open(path_.c_str(), O_RDWR | O_APPEND | O_CLOEXEC | O_NONBLOCK));
  if (fd_.get() >= 0) return;
  throw checkpoint::file_error(path_, "", "cannot be opened: " + std::generic_category().message(errno),
                               "make room, or set runconfig.model_dir to a folder you may write to")
      .caused_by(errno);
}

void MetricsFile::write_again() {
  std::error_code ignored;
  if (fs::exists(fs::symlink_status(path_, ignored))) {
    throw checkpoint::file_error(path_, "", "was replaced by another file", "move it away; the same command continues");
  }
  checkpoint::AtomicFile file(path_);
  file.write(content_of(fd_));
  if (!unwritten_.empty()) file.write(unwritten_ + "\n");
  file.commit();
  unwritten_.clear();
  open();
}

void MetricsFile::moved_to(const std::string& model_dir) {
  path_ = (fs::path(model_dir) / "metrics.jsonl").string();
  if (!unwritten_.empty() && checkpoint::has_name(fd_, path_)) append();
}

bool MetricsFile::add(const StepMetrics& metrics) {
  std::string line = to_json(metrics);
  line.back() = ',';
  added_ = checkpoint::sealed(fmt::format(R"({} "run": "{}", "crc32c": "{}"}})", line, run_, checkpoint::kNoChecksum));
  unwritten_ = added_;
  if (!checkpoint::has_name(fd_, path_)) return false;
  append();
  return true;
}

void MetricsFile::append() {
  const std::string line = unwritten_ + "\n";
  const off_t end = ::lseek(fd_.get(), 0, SEEK_END);
  try {
    checkpoint::write_all(fd_.get(), {reinterpret_cast<const std::uint8_t*>(line.data()), line.size()}, path_);
  } catch (const Refusal&) {
    [[maybe_unused]] const int cut = ::ftruncate(fd_.get(), end);  // otherwise the next start discards the partial line
    throw;
  }
  unwritten_.clear();
}

void MetricsFile::sync() {
  if (!checkpoint::has_name(fd_, path_)) write_again();
  if (::fsync(fd_.get()) != 0) {
    throw checkpoint::file_error(path_, "", "cannot be written any more: " + std::generic_category().message(errno),
                                 "check the disk")
        .caused_by(EIO);
  }
}

}  // namespace weft::metrics
