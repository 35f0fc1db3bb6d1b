#include "sw/base/memory_room.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

namespace weft {
namespace {

namespace fs = std::filesystem;

constexpr double kNone = std::numeric_limits<double>::infinity();

/// Reads "key: 123 kB" from a file of /proc, or "key 123" from a file of a control group, in the file's unit.
std::optional<double> number_in(const fs::path& file, std::string_view key) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(key) || line.size() == key.size() ||
        std::string_view(": \t").find(line[key.size()]) == std::string_view::npos)
      continue;
    const char* const number = line.c_str() + line.find_first_not_of(": \t", key.size());
    char* end = nullptr;
    const double value = std::strtod(number, &end);
    return end == number ? std::nullopt : std::optional(value);
  }
  return std::nullopt;
}

/// The only number in a file; nullopt for "max".
std::optional<double> number_of(const fs::path& file) {
  double value = 0;
  if (std::ifstream(file) >> value) return value;
  return std::nullopt;
}

double kib(const fs::path& file, std::string_view key) { return 1024 * number_in(file, key).value_or(0); }

void add(std::vector<MemoryRoom>& all, double limit, double left, const char* of) {
  all.push_back({limit, std::clamp(left, 0.0, limit), of});
}

struct GroupNames {
  const char *limit, *used, *swap_limit, *swap_used, *of;
  std::array<const char*, 2> cache;  // in memory.stat: caches that the kernel reclaims on demand
};
constexpr GroupNames kVersion2{"memory.max",
                               "memory.current",
                               "memory.swap.max",
                               "memory.swap.current",
                               "the control group's limit memory.max",
                               {"inactive_file", "active_file"}};
/// Beyond this limit the kernel throttles the process until it hardly runs.
constexpr GroupNames kVersion2High{"memory.high",
                                   "memory.current",
                                   "memory.swap.max",
                                   "memory.swap.current",
                                   "the control group's limit memory.high",
                                   {"inactive_file", "active_file"}};
constexpr GroupNames kVersion1{"memory.limit_in_bytes",
                               "memory.usage_in_bytes",
                               nullptr,
                               nullptr,
                               "the control group's limit memory.limit_in_bytes",
                               {"total_inactive_file", "total_active_file"}};
constexpr double kUnlimited = 1e18;  // version 1 expresses "no limit" by a number like this

/// Adds the limits of the group and of all its ancestors. A container may see a path of the host; its own group is then
/// the mounted one.
void add_groups(std::vector<MemoryRoom>& all, const fs::path& mount, const std::string& group, const GroupNames& names,
                double swap_free) {
  for (fs::path at = fs::path(group).relative_path();; at = at.parent_path()) {
    const fs::path folder = mount / at;
    if (const auto limit = number_of(folder / names.limit); limit && *limit < kUnlimited) {
      double free = *limit - number_of(folder / names.used).value_or(0);
      for (const char* cache : names.cache) free += number_in(folder / "memory.stat", cache).value_or(0);
      if (names.swap_limit != nullptr) {
        const auto most = number_of(folder / names.swap_limit);
        const double more = most ? *most - number_of(folder / names.swap_used).value_or(0) : swap_free;
        free += std::clamp(more, 0.0, swap_free);
      }
      add(all, *limit, free, names.of);
    }
    if (at.empty()) return;
  }
}

/// Reads /proc/self/cgroup: a line "number:controllers:/path" for each hierarchy, without controllers of version 2.
void add_all_groups(std::vector<MemoryRoom>& all, const MemorySources& sources, double swap_free) {
  std::ifstream lines(sources.proc / "self/cgroup");
  for (std::string number, controllers, path;
       std::getline(lines, number, ':') && std::getline(lines, controllers, ':') && std::getline(lines, path);) {
    if (controllers.empty()) {
      for (const fs::path& mount : {sources.groups, sources.groups / "unified"})
        for (const GroupNames& names : {kVersion2, kVersion2High}) add_groups(all, mount, path, names, swap_free);
    } else if (("," + controllers + ",").find(",memory,") != std::string::npos) {
      add_groups(all, sources.groups / "memory", path, kVersion1, swap_free);
    }
  }
}

/// The limit on data from before a MemoryBound was made; 0 while no MemoryBound exists.
std::atomic<rlim_t> unbounded_data = 0;

void add_own_limit(std::vector<MemoryRoom>& all, __rlimit_resource_t which, double used, const char* of) {
  rlimit limit{};
  if (::getrlimit(which, &limit) != 0) return;
  if (const rlim_t before = unbounded_data; which == RLIMIT_DATA && before != 0) limit.rlim_cur = before;
  if (limit.rlim_cur == RLIM_INFINITY) return;
  add(all, static_cast<double>(limit.rlim_cur), static_cast<double>(limit.rlim_cur) - used, of);
}

std::vector<MemoryRoom> all_limits(const MemorySources& sources) {
  std::vector<MemoryRoom> all;
  const fs::path meminfo = sources.proc / "meminfo", self = sources.proc / "self/status";
  const double total = kib(meminfo, "MemTotal") + kib(meminfo, "SwapTotal"), swap_free = kib(meminfo, "SwapFree");
  if (total > 0) add(all, total, kib(meminfo, "MemAvailable") + swap_free, "this machine's memory");
  add_all_groups(all, sources, swap_free);
  if (!sources.own_limits) return all;
  add_own_limit(all, RLIMIT_AS, kib(self, "VmSize"), "this process's limit on addresses, ulimit -v");
  add_own_limit(all, RLIMIT_DATA, kib(self, "VmData"), "this process's limit on data, ulimit -d");
  return all;
}

/// The limit before the bound in force, and the number of MemoryBounds.
struct Bounds {
  std::mutex mutex;
  int living = 0;
  rlimit before{};
};
Bounds& bounds() {
  static Bounds all;
  return all;
}

}  // namespace

std::string memory_text(double bytes) {
  constexpr const char* kUnits[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < std::size(kUnits); bytes /= 1024) ++unit;
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.4g %s", bytes, kUnits[unit]);
  return text.data();
}

std::string MemoryRoom::text() const {
  if (left == kNone) return "the system does not report the free memory";
  return memory_text(left) + " of " + memory_text(limit) + " are left (" + of + ")";
}

MemoryRoom memory_room(const MemorySources& sources) {
  const std::vector<MemoryRoom> all = all_limits(sources);
  if (all.empty()) return {kNone, kNone, "nobody"};
  return *std::ranges::min_element(all, {}, &MemoryRoom::left);
}

double memory_limit(const MemorySources& sources) {
  double least = kNone;
  for (const MemoryRoom& one : all_limits(sources)) least = std::min(least, one.limit);
  return least;
}

MemoryBound::MemoryBound() {
  Bounds& all = bounds();
  const std::lock_guard lock(all.mutex);
  if (all.living++ > 0) return;
  constexpr double kKept = 32 << 20;  // bytes, for the rest of the process
  const MemoryRoom room = memory_room();
  const double data = kib("/proc/self/status", "VmData");
  if (room.left == kNone || data == 0 || ::getrlimit(RLIMIT_DATA, &all.before) != 0) return;
  const double most = data + room.left - std::min(kKept, room.left / 8);
  if (all.before.rlim_cur != RLIM_INFINITY && static_cast<double>(all.before.rlim_cur) <= most) return;
  const rlimit bound{static_cast<rlim_t>(most), all.before.rlim_max};
  unbounded_data = all.before.rlim_cur;
  if (::setrlimit(RLIMIT_DATA, &bound) != 0) unbounded_data = 0;
}

MemoryBound::~MemoryBound() {
  Bounds& all = bounds();
  const std::lock_guard lock(all.mutex);
  if (--all.living > 0 || unbounded_data == 0) return;
  ::setrlimit(RLIMIT_DATA, &all.before);
  unbounded_data = 0;
}

}  // namespace weft
