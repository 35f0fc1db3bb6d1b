#include "host/checkpoint/provisional.hpp"

#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "host/checkpoint/creation_lock.hpp"
#include "host/checkpoint/file.hpp"

namespace weft::checkpoint {
namespace {

namespace fs = std::filesystem;

/// All provisional files, for the thread that ends the program on a signal.
struct Entry {
  std::string name;
  int guard;
  std::string guard_path;

  bool may_go() const { return guard < 0 || has_name(guard, guard_path); }
};
std::vector<Entry> all;

void leave(const std::string& name) {
  const std::lock_guard lock(making());
  const auto at = std::find_if(all.rbegin(), all.rend(), [&](const Entry& entry) { return entry.name == name; });
  if (at != all.rend()) all.erase(std::next(at).base());
}

void remove(const char* name) noexcept {
  if (::unlink(name) != 0) ::rmdir(name);
}

}  // namespace

Provisional::~Provisional() {
  const bool may_go = guard_ < 0 || has_name(guard_, guard_path_);  // evaluated first: .lock is among the names
  for (; !names_.empty(); names_.pop_back()) {
    leave(names_.back());  // first: the name may later belong to another run
    if (may_go) remove(names_.back().c_str());
  }
}

void Provisional::record(const std::string& name) {
  const std::lock_guard lock(making());
  all.push_back({name, guard_, guard_path_});
}

void Provisional::only_while(const Descriptor& file, const fs::path& path) {
  const std::lock_guard lock(making());
  guard_ = file.get();
  guard_path_ = path.string();
  for (Entry& entry : all) {
    if (std::ranges::find(names_, entry.name) == names_.end()) continue;
    entry.guard = guard_;
    entry.guard_path = guard_path_;
  }
}

void Provisional::add(const fs::path& path) { record(names_.emplace_back(path.string())); }

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
  std::vector<bool> may_go;  // evaluated before .lock is removed
  for (const Entry& entry : all) may_go.push_back(entry.may_go());
  for (std::size_t i = all.size(); i-- > 0;) {
    if (may_go[i]) remove(all[i].name.c_str());
  }
}

}  // namespace weft::checkpoint
