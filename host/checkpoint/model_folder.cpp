#include "host/checkpoint/model_folder.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <limits>
#include <optional>
#include <system_error>

#include "host/checkpoint/lock_folder.hpp"

namespace weft::checkpoint {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "checkpoint_", kEnding = ".safetensors";

std::optional<std::uint64_t> step_of(std::string_view name) {
  if (!name.starts_with(kPrefix) || !name.ends_with(kEnding)) return std::nullopt;
  name.remove_prefix(kPrefix.size());
  name.remove_suffix(std::min(kEnding.size(), name.size()));
  std::uint64_t step = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), step);
  if (error != std::errc{} || end != name.data() + name.size()) return std::nullopt;
  return step;
}

/// Free space in bytes; unlimited if the file system reports no size, such as ramfs and some FUSE file systems.
std::uint64_t room_in(const fs::path& folder) {
  std::error_code error;
  const fs::space_info space = fs::space(folder, error);
  return error || space.capacity == 0 ? std::numeric_limits<std::uint64_t>::max() : space.available;
}

}  // namespace

ModelFolder::ModelFolder(const fs::path& folder, std::uint64_t bytes, const SayOfLock& say)
    : folder_(folder.empty() ? fs::path(".") : folder),
      absolute_(fs::absolute(folder_).lexically_normal()),
      bytes_(bytes) {
  if (!absolute_.has_filename()) absolute_ = absolute_.parent_path();  // for "out/" and "."
  lock_ = lock_folder(folder_, made_, say);
  made_.only_while(lock_.file, folder_ / kLock);
  open_ = open_folder(folder_.string());
  remove_unfinished(folder_);
  try_to_write();
  check_room();
}

void ModelFolder::will_make(const fs::path& name) {
  std::error_code ignored;
  if (!fs::exists(folder_ / name, ignored)) made_.add(folder_ / name);
}

void ModelFolder::try_to_write() const {
  AtomicFile probe(folder_ / "probe");
  const std::array<std::uint8_t, 4096> block{};
  probe.write(block);
}

void ModelFolder::check_room() const {
  const std::uint64_t room = room_in(folder_);
  if (room >= bytes_) return;
  throw file_error(folder_.string(), "", fmt::format("has room for {} bytes, but a checkpoint takes {}", room, bytes_),
                   "make room, or set runconfig.model_dir to a folder on another disk")
      .caused_by(ENOSPC);
}

bool ModelFolder::has_room(std::uint64_t checkpoints) const { return room_in(folder_) / checkpoints >= bytes_; }

void ModelFolder::sign(const std::string& run) {
  run_ = run;
  write_owner(lock_.file, run_);
}

std::optional<fs::path> ModelFolder::moved_to() const {
  std::error_code error;
  const fs::path now = fs::read_symlink(fmt::format("/proc/self/fd/{}", open_.get()), error);
  if (error || !has_name(open_, now.string())) return std::nullopt;
  return now;
}

ModelFolder::Fate ModelFolder::check() {
  const std::string lock = (folder_ / kLock).string();
  if (lock_.has(folder_)) return Fate::Ours;
  made_.keep();  // the names may now belong to another run
  const bool same = has_name(open_, folder_.string());
  const auto now = same ? std::nullopt : moved_to();
  if (now && lock_.has(*now)) {
    folder_ = *now;
    return Fate::Moved;
  }
  std::error_code ignored;
  const bool another =
      !same && fs::exists(folder_, ignored) && !fs::exists(lock, ignored) && !fs::is_empty(folder_, ignored);
  try {
    another ? lock_beside() : lock_at(folder_);
    return same ? Fate::Ours : Fate::Deleted;
  } catch (const FolderTaken&) {
    throw;
  } catch (const Refusal&) {
    if (another) throw;
    lock_beside();
    return Fate::Deleted;
  }
}

void ModelFolder::lock_at(const fs::path& folder) {
  lock_ = lock_again(folder, made_, run_, lock_);
  made_.keep();
  folder_ = folder;
  open_ = open_folder(folder.string());
  sign(run_);
}

/// Locks the first of NAME.lost1, NAME.lost2, ... that does not exist.
void ModelFolder::lock_beside() {
  std::error_code ignored;
  for (int n = 1;; ++n) {
    const fs::path beside = fmt::format("{}.lost{}", absolute_.string(), n);
    if (!fs::exists(fs::symlink_status(beside, ignored))) return lock_at(beside);
  }
}

std::string ModelFolder::checkpoint_file(std::uint64_t step) const {
  return (folder_ / fmt::format("{}{}{}", kPrefix, step, kEnding)).string();
}

std::vector<CheckpointFile> ModelFolder::checkpoints_in(const fs::path& folder) {
  std::vector<CheckpointFile> result;
  std::error_code ignored;  // a missing folder has no checkpoints
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (const auto step = step_of(entry.path().filename().string())) result.push_back({*step, entry.path().string()});
  }
  std::ranges::sort(result, std::greater{}, &CheckpointFile::step);
  return result;
}

void ModelFolder::prune(std::uint64_t first, std::uint64_t newest, int keep, std::optional<std::uint64_t> good,
                        const std::set<std::uint64_t>& uncounted) const {
  if (keep == 0) return;
  int kept = 0;
  for (const CheckpointFile& entry : checkpoints()) {
    if (entry.step < first || entry.step > newest || uncounted.contains(entry.step)) continue;
    if (++kept <= keep || entry.step == good) continue;
    std::error_code error;
    if (!fs::remove(entry.file, error) && error) {
      throw file_error(entry.file, "", "cannot be deleted: " + error.message(),
                       "delete it yourself, or set runconfig.keep_checkpoint_max 0")
          .caused_by(error.value());
    }
  }
}

}  // namespace weft::checkpoint
