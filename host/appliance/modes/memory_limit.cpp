#include "host/appliance/modes/memory_limit.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

namespace weft {
namespace {

namespace fs = std::filesystem;

/// "cpu,memory" has memory.
bool controls_memory(const std::string& controllers) {
  return ("," + controllers + ",").find(",memory,") != std::string::npos;
}

/// Of the group and of all it is in. In a container its path may be one outside: what is mounted is its own.
double least_limit(const fs::path& mount, const std::string& group, const char* file) {
  double least = std::numeric_limits<double>::infinity();
  for (fs::path at = fs::path(group).relative_path();; at = at.parent_path()) {
    double limit = 0;
    if (std::ifstream(mount / at / file) >> limit) least = std::min(least, limit);  // "max" is no number
    if (at.empty()) return least;
  }
}

}  // namespace

double memory_limit(std::string_view groups, const fs::path& root) {
  double least = std::numeric_limits<double>::infinity();
  std::istringstream lines{std::string(groups)};
  for (std::string number, controllers, path;
       std::getline(lines, number, ':') && std::getline(lines, controllers, ':') && std::getline(lines, path);) {
    if (controllers.empty()) least = std::min(least, least_limit(root, path, "memory.max"));
    if (controls_memory(controllers))
      least = std::min(least, least_limit(root / "memory", path, "memory.limit_in_bytes"));
  }
  return least;
}

}  // namespace weft
