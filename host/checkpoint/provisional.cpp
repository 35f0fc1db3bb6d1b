#include "host/checkpoint/provisional.hpp"

#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "host/checkpoint/file.hpp"

namespace weft {
namespace {

namespace fs = std::filesystem;

/// The names of all that is provisional, for the thread that ends the program at a signal.
std::vector<std::string> all;

void enter(const std::string& name) {
  const std::lock_guard lock(making());
  all.push_back(name);
}

void leave(const std::string& name) {
  const std::lock_guard lock(making());
  const auto at = std::find(all.rbegin(), all.rend(), name);
  if (at != all.rend()) all.erase(std::next(at).base());
}

void remove(const char* name) noexcept {
  if (::unlink(name) != 0) ::rmdir(name);
}

}  // namespace

std::recursive_mutex& making() {
  static std::recursive_mutex mutex;
  return mutex;
}

Provisional::~Provisional() {
  for (; !names_.empty(); names_.pop_back()) {
    leave(names_.back());  // first: what has this name later may be another run's
    remove(names_.back().c_str());
  }
}

void Provisional::add(const fs::path& path) { enter(names_.emplace_back(path.string())); }

std::error_code Provisional::make_folders(const fs::path& folder) {
  std::vector<fs::path> missing;
  std::error_code error;
  for (fs::path at = folder; !at.empty() && !fs::exists(at, error); at = at.parent_path()) missing.push_back(at);
  for (; !missing.empty(); missing.pop_back()) {
    {
      const std::lock_guard lock(making());
      if (fs::create_directory(missing.back(), error)) add(missing.back());
    }
    if (error) return error;
    const fs::path parent = missing.back().parent_path();
    sync_folder(open_folder(parent.empty() ? "." : parent.string()), missing.back().string());
  }
  return {};
}

void Provisional::keep() {
  for (; !names_.empty(); names_.pop_back()) leave(names_.back());
}

void discard_provisional() noexcept {
  const std::lock_guard lock(making());
  for (auto name = all.rbegin(); name != all.rend(); ++name) remove(name->c_str());
}

}  // namespace weft
