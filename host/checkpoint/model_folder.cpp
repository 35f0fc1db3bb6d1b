#include "host/checkpoint/model_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <optional>
#include <system_error>
#include <utility>

namespace weft {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "checkpoint_", kSuffix = ".safetensors";
constexpr const char* kAnother = "set runconfig.model_dir to a folder you may write to";

bool make_folder(const fs::path& folder) {
  std::error_code error;
  const bool made = fs::create_directories(folder, error);
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) {
    const bool file = fs::exists(folder, ignored);
    throw file_error(folder.string(), "", file ? "is no folder" : "cannot be made: " + error.message(), kAnother);
  }
  return made;
}

std::optional<std::uint64_t> step_of(std::string_view name) {
  if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) return std::nullopt;
  name.remove_prefix(kPrefix.size());
  name.remove_suffix(std::min(kSuffix.size(), name.size()));
  std::uint64_t step = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), step);
  if (error != std::errc{} || end != name.data() + name.size()) return std::nullopt;
  return step;
}

}  // namespace

ModelFolder::ModelFolder(const fs::path& folder, std::uint64_t bytes)
    : folder_(folder.empty() ? fs::path(".") : folder), made_(folder_) {
  lock();
  remove_unfinished(folder_);
  try_to_write(bytes);
}

ModelFolder::Made::Made(fs::path folder) : path(std::move(folder)), is_new(make_folder(path)) {
  if (is_new) set_new_folder(path);
}

ModelFolder::Made::~Made() {
  set_new_folder({});
  const auto others = [](const fs::directory_entry& entry) { return entry.path().filename() != ".lock"; };
  std::error_code error;
  if (!is_new || std::ranges::any_of(fs::directory_iterator(path, error), others)) return;
  fs::remove(path / ".lock", error);
  fs::remove(path, error);
}

void ModelFolder::lock() {
  const std::string file = (folder_ / ".lock").string();
  lock_ = Descriptor(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (lock_.get() < 0) {
    throw file_error(file, "", "cannot be made: " + std::generic_category().message(errno), kAnother);
  }
  if (::flock(lock_.get(), LOCK_EX | LOCK_NB) != 0) {
    std::string pid = "unknown";
    std::ifstream(file) >> pid;
    throw file_error(folder_.string(), "", "is in use by process " + printable(pid),
                     "wait for its end, or set another runconfig.model_dir");
  }
  const std::string pid = std::to_string(::getpid()) + "\n";
  if (::ftruncate(lock_.get(), 0) != 0) return;
  write_all(lock_.get(), {reinterpret_cast<const std::uint8_t*>(pid.data()), pid.size()}, file);
}

void ModelFolder::try_to_write(std::uint64_t bytes) const {
  AtomicFile probe(folder_ / "probe");
  const std::array<std::uint8_t, 4096> block{};
  probe.write(block);
  std::error_code error;
  const fs::space_info space = fs::space(folder_, error);
  if (error || space.available >= bytes) return;
  throw file_error(folder_.string(), "",
                   fmt::format("has room for {} bytes, a checkpoint takes {}", space.available, bytes),
                   "make room, or set runconfig.model_dir to a folder on another disk");
}

std::string ModelFolder::checkpoint_file(std::uint64_t step) const {
  return (folder_ / fmt::format("{}{}{}", kPrefix, step, kSuffix)).string();
}

std::vector<CheckpointFile> ModelFolder::checkpoints_in(const fs::path& folder) {
  std::vector<CheckpointFile> result;
  std::error_code ignored;  // no folder, no checkpoints
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (const auto step = step_of(entry.path().filename().string())) result.push_back({*step, entry.path().string()});
  }
  std::ranges::sort(result, std::greater{}, &CheckpointFile::step);
  return result;
}

void ModelFolder::prune(std::uint64_t newest, int keep) const {
  if (keep == 0) return;
  int kept = 0;
  for (const CheckpointFile& entry : checkpoints()) {
    if (entry.step > newest || ++kept <= keep) continue;
    std::error_code error;
    if (!fs::remove(entry.file, error) && error) {
      throw file_error(entry.file, "", "cannot be deleted: " + error.message(), "check the rights of its folder");
    }
  }
}

}  // namespace weft
