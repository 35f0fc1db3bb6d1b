#include "host/formats/whole_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <mutex>
#include <system_error>
#include <vector>

#include "host/checkpoint/creation_lock.hpp"
#include "host/checkpoint/file.hpp"
#include "sw/base/part_name.hpp"

namespace weft::formats {
namespace {

namespace fs = std::filesystem;

Refusal cannot(const fs::path& folder, std::error_code error) {
  return checkpoint::file_error(folder.string(), "", "cannot be written: " + error.message(),
                                "name a folder that you may write to, on a disk with room")
      .caused_by(error.value());
}

/// Errors of renameat2 if a file system (NFS, some overlays) or the kernel does not support its flags. EXDEV: an
/// overlay does not rename a folder of its lower layer, with flags or without.
bool cannot_exchange(int error) { return error == EINVAL || error == ENOSYS || error == EOPNOTSUPP || error == EXDEV; }

std::error_code last_error() { return {errno, std::generic_category()}; }

/// Folders in `parent` left behind by killed exports. Their names end with the id of a process, which is alive while an
/// export runs.
std::vector<fs::path> left_in(const fs::path& parent, const std::string& prefix) {
  std::vector<fs::path> left;
  std::error_code error;
  for (fs::directory_iterator at(parent, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    pid_t process = 0;
    if (!name.starts_with(prefix)) continue;
    const auto [last, bad] = std::from_chars(name.data() + prefix.size(), name.data() + name.size(), process);
    const bool named = bad == std::errc{} && last == name.data() + name.size() && process > 0;
    if (named && ::kill(process, 0) != 0 && errno == ESRCH) left.push_back(at->path());
  }
  return left;
}

bool have_same_bytes(const fs::path& one, const fs::path& other) {
  constexpr std::size_t kSome = std::size_t{1} << 16;
  std::ifstream first(one, std::ios::binary), second(other, std::ios::binary);
  std::array<char, kSome> mine{}, theirs{};
  while (first && second) {
    first.read(mine.data(), kSome);
    second.read(theirs.data(), kSome);
    if (first.gcount() != second.gcount() || !std::equal(mine.begin(), mine.begin() + first.gcount(), theirs.begin()))
      return false;
  }
  return first.eof() && second.eof();
}

/// Paths in a folder, sorted by name, so that config.json, by which readers recognize the folder, is removed first.
std::vector<fs::path> paths_in(const fs::path& folder) {
  std::vector<fs::path> paths;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    paths.push_back(at->path());
  std::ranges::sort(paths);
  return paths;
}

/// Copies a folder of files and syncs them to disk.
std::error_code copy_files(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::create_directory(to, error);
  for (const fs::path& path : paths_in(from)) {
    if (error) return error;
    fs::copy(path, to / path.filename(), fs::copy_options::copy_symlinks, error);
    if (error || !fs::is_regular_file(fs::symlink_status(path))) continue;
    const Descriptor file(::open((to / path.filename()).c_str(), O_RDONLY | O_CLOEXEC));
    if (file.get() < 0 || ::fsync(file.get()) != 0) return last_error();
  }
  return error;
}

/// Restores the copy of an old folder that a killed export was emptying. A folder with a file that is not in the copy
/// is a new one, and is kept.
void bring_back_copy(const fs::path& target, const std::string& prefix) {
  std::error_code ignored;
  const auto type = fs::symlink_status(target, ignored).type();
  if (type != fs::file_type::directory && type != fs::file_type::not_found) return;
  for (const fs::path& copy : left_in(target.parent_path(), prefix)) {
    const std::vector<fs::path> there = paths_in(target);
    if (!std::ranges::all_of(there, [&](const fs::path& p) { return have_same_bytes(p, copy / p.filename()); })) {
      fs::remove_all(copy, ignored);
      continue;
    }
    fs::remove_all(target, ignored);
    fs::rename(copy, target, ignored);
  }
}

/// Restores the old folder that a killed export has moved away, unless the new one is in place.
void bring_back(const fs::path& target, const std::string& prefix) {
  std::error_code ignored;
  for (const fs::path& old : left_in(target.parent_path(), prefix)) {
    const bool there = fs::exists(fs::symlink_status(target, ignored));
    if (!there && ::renameat2(AT_FDCWD, old.c_str(), AT_FDCWD, target.c_str(), RENAME_NOREPLACE) != 0 &&
        cannot_exchange(errno))
      fs::rename(old, target, ignored);
    if (there) fs::remove_all(old, ignored);
  }
}

/// True if `target` exists and may be replaced; false if it does not exist. Otherwise throws Refusal.
bool may_be_replaced(const fs::path& target, std::span<const std::string_view> files,
                     const WholeFolder::Ours& is_ours) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(target, error);
  if (status.type() == fs::file_type::not_found) return false;
  const auto refuse = [&](const std::string& problem) {
    return checkpoint::file_error(target.string(), "", problem, "name another folder, or move it away");
  };
  if (status.type() != fs::file_type::directory) throw refuse("exists and is not a folder");
  bool empty = true;
  for (fs::directory_iterator at(target, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (std::ranges::find(files, name) == files.end())
      throw refuse(fmt::format("exists and has a file that weft export does not write: {}", printable(name)));
    empty = false;
  }
  if (error) throw cannot(target, error);
  if (!empty && !is_ours(target)) throw refuse("exists and was not written by weft export");
  return true;
}

}  // namespace

WholeFolder::WholeFolder(const fs::path& target, std::span<const std::string_view> files, const Ours& is_ours)
    : target_(fs::absolute(target).lexically_normal()) {
  if (target_.filename().empty()) target_ = target_.parent_path();  // for a path that ends with a slash
  const std::string aside = fmt::format(".{}.weft-old.", target_.filename().string());
  const std::string copy = fmt::format(".{}.weft-copy.", target_.filename().string());
  bring_back_copy(target_, copy);
  bring_back(target_, aside);
  replaces_ = may_be_replaced(target_, files, is_ours);
  aside_ = target_.parent_path() / (aside + std::to_string(::getpid()));
  copy_ = target_.parent_path() / (copy + std::to_string(::getpid()));
  if (const std::error_code error = made_.make_folders(target_.parent_path())) throw cannot(target_, error);
  remove_left_parts(target_.parent_path());
  constexpr int kMost = 100;  // maximum number of attempts to find a free name
  std::error_code error;
  bool made = false;
  for (int n = 0; n < kMost && !made && !error; ++n) {
    const std::lock_guard lock(checkpoint::making());
    part_ = target_.parent_path() / part_name(target_.filename().string());
    made = fs::create_directory(part_, error);
    if (made) made_.add(part_);
  }
  if (!made) throw cannot(target_, error ? error : std::make_error_code(std::errc::file_exists));
}

std::string WholeFolder::file(std::string_view name) {
  const fs::path path = part_ / name;
  made_.add(path);
  return path.string();
}

/// For a folder that cannot be renamed. While it is emptied, a copy exists under a name that the next export recognizes
/// in case this one is killed; the copy is removed when the new folder is in place. Returns the path of the old folder.
fs::path WholeFolder::empty_and_replace() {
  const auto parent = [&] { return checkpoint::open_folder(target_.parent_path().string()); };
  const fs::path copying = target_.parent_path() / part_name(target_.filename().string());
  std::error_code error = copy_files(target_, copying), ignored;
  if (!error) checkpoint::sync_folder(checkpoint::open_folder(copying.string()), target_.string());
  if (!error) fs::rename(copying, copy_, error);
  if (error) {
    fs::remove_all(copying, ignored);
    throw cannot(target_, error);
  }
  checkpoint::sync_folder(parent(), target_.string());
  for (const fs::path& path : paths_in(target_))
    if (!error) fs::remove_all(path, error);
  if (!error) fs::remove(target_, error);
  if (!error) fs::rename(part_, target_, error);
  if (error) {
    fs::remove_all(target_, ignored);
    fs::rename(copy_, target_, ignored);
    throw cannot(target_, error);
  }
  checkpoint::sync_folder(parent(), target_.string());
  fs::rename(copy_, aside_, error);
  return error ? copy_ : aside_;
}

/// Replaces the folder by two renames. Between them the target name does not exist; if an export is killed there, the
/// next one restores the old folder. Returns the path of the old folder.
fs::path WholeFolder::change_places() {
  if (::rename(target_.c_str(), aside_.c_str()) != 0) {
    if (errno == EXDEV) return empty_and_replace();
    throw cannot(target_, last_error());
  }
  if (::rename(part_.c_str(), target_.c_str()) == 0) return aside_;
  const std::error_code error = last_error();
  if (::rename(aside_.c_str(), target_.c_str()) == 0) throw cannot(target_, error);
  const std::string problem = "cannot be written: " + error.message() + "; the old folder is " + aside_.string();
  throw checkpoint::file_error(target_.string(), "", problem, "rename that folder").caused_by(EIO);
}

void WholeFolder::commit() {
  checkpoint::sync_folder(checkpoint::open_folder(part_.string()), target_.string());
  std::unique_lock lock(checkpoint::making());
  const unsigned how = replaces_ ? RENAME_EXCHANGE : RENAME_NOREPLACE;
  fs::path old = replaces_ ? part_ : fs::path();
  if (::renameat2(AT_FDCWD, part_.c_str(), AT_FDCWD, target_.c_str(), how) != 0) {
    if (!cannot_exchange(errno)) throw cannot(target_, last_error());
    if (replaces_) {
      old = change_places();
    } else if (::rename(part_.c_str(), target_.c_str()) != 0) {
      throw cannot(target_, last_error());
    }
  }
  made_.keep();
  lock.unlock();
  checkpoint::sync_folder(checkpoint::open_folder(target_.parent_path().string()), target_.string());
  std::error_code ignored;
  if (!old.empty()) fs::remove_all(old, ignored);
}

}  // namespace weft::formats
