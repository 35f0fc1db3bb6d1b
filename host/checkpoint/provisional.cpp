#include "host/checkpoint/provisional.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <vector>

namespace weft {
namespace {

namespace fs = std::filesystem;

/// The names of all that is provisional, for a handler; what does not find room stays after a signal.
std::array<std::atomic<const char*>, 64> all{};
static_assert(std::atomic<const char*>::is_always_lock_free, "a signal's handler may use it");

void enter(const char* name) {
  for (auto& slot : all) {
    const char* none = nullptr;
    if (slot.compare_exchange_strong(none, name)) return;
  }
}

void leave(const char* name) {
  for (auto& slot : all) {
    const char* own = name;
    if (slot.compare_exchange_strong(own, nullptr)) return;
  }
}

void remove(const char* name) noexcept {
  if (::unlink(name) != 0) ::rmdir(name);
}

}  // namespace

Provisional::~Provisional() {
  for (; !names_.empty(); names_.pop_back()) {
    leave(names_.back().c_str());  // first: what has this name later may be another run's
    remove(names_.back().c_str());
  }
}

void Provisional::add(const fs::path& path) { enter(names_.emplace_back(path.string()).c_str()); }

std::error_code Provisional::make_folders(const fs::path& folder) {
  std::vector<fs::path> missing;
  std::error_code error;
  for (fs::path at = folder; !at.empty() && !fs::exists(at, error); at = at.parent_path()) missing.push_back(at);
  for (; !missing.empty(); missing.pop_back()) {
    if (fs::create_directory(missing.back(), error)) add(missing.back());
    if (error) return error;
  }
  return {};
}

void Provisional::keep() {
  for (; !names_.empty(); names_.pop_back()) leave(names_.back().c_str());
}

void discard_provisional() noexcept {
  for (auto slot = all.rbegin(); slot != all.rend(); ++slot) {
    if (const char* name = *slot) remove(name);
  }
}

}  // namespace weft
