#include "host/exchange/whole_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <mutex>
#include <system_error>

#include "host/checkpoint/file.hpp"

namespace weft {
namespace {

namespace fs = std::filesystem;

Refusal cannot(const fs::path& folder, std::error_code error) {
  return file_error(folder.string(), "", "cannot be written: " + error.message(),
                    "name a folder that you may write to, on a disk with room");
}

std::error_code last_error() { return {errno, std::generic_category()}; }

/// What exports that were killed have left beside `target`; one that goes on has a process.
void remove_left(const fs::path& parent, const std::string& prefix) {
  std::error_code error, ignored;
  for (fs::directory_iterator at(parent, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    pid_t process = 0;
    if (!name.starts_with(prefix)) continue;
    const auto [last, bad] = std::from_chars(name.data() + prefix.size(), name.data() + name.size(), process);
    const bool named = bad == std::errc{} && last == name.data() + name.size() && process > 0;
    if (named && ::kill(process, 0) != 0 && errno == ESRCH) fs::remove_all(at->path(), ignored);
  }
}

/// Throws Refusal unless it may go for a new one; false: there is none.
bool may_be_replaced(const fs::path& target, std::span<const std::string_view> files,
                     const WholeFolder::Ours& is_ours) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(target, error);
  if (status.type() == fs::file_type::not_found) return false;
  const auto refuse = [&](const std::string& problem) {
    return file_error(target.string(), "", problem, "name another folder, or move it away");
  };
  if (status.type() != fs::file_type::directory) throw refuse("is there, and is no folder");
  bool empty = true;
  for (fs::directory_iterator at(target, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (std::ranges::find(files, name) == files.end())
      throw refuse(fmt::format("is there, and has a file that weft export does not write: {}", printable(name)));
    empty = false;
  }
  if (error) throw cannot(target, error);
  if (!empty && !is_ours(target)) throw refuse("is there, and weft export has not written it");
  return true;
}

}  // namespace

WholeFolder::WholeFolder(const fs::path& target, std::span<const std::string_view> files, const Ours& is_ours)
    : target_(fs::absolute(target).lexically_normal()) {
  if (target_.filename().empty()) target_ = target_.parent_path();  // of a name that ends with a slash
  replaces_ = may_be_replaced(target_, files, is_ours);
  if (const std::error_code error = made_.make_folders(target_.parent_path())) throw cannot(target_, error);
  const std::string prefix = fmt::format(".{}.weft-part.", target_.filename().string());
  remove_left(target_.parent_path(), prefix);
  part_ = target_.parent_path() / (prefix + std::to_string(::getpid()));
  if (const std::error_code error = made_.make_folders(part_)) throw cannot(target_, error);
}

std::string WholeFolder::file(std::string_view name) {
  const fs::path path = part_ / name;
  made_.add(path);
  return path.string();
}

void WholeFolder::commit() {
  sync_folder(open_folder(part_.string()), target_.string());
  std::unique_lock lock(making());
  const unsigned how = replaces_ ? RENAME_EXCHANGE : RENAME_NOREPLACE;
  int result = ::renameat2(AT_FDCWD, part_.c_str(), AT_FDCWD, target_.c_str(), how);
  if (result != 0 && errno == EINVAL && !replaces_) result = ::rename(part_.c_str(), target_.c_str());
  if (result != 0) throw cannot(target_, last_error());
  made_.keep();
  std::error_code ignored;
  if (replaces_) fs::remove_all(part_, ignored);
  lock.unlock();
  sync_folder(open_folder(target_.parent_path().string()), target_.string());
}

}  // namespace weft
