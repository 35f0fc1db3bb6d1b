#include "host/board/devices/device_access.hpp"

#include <fmt/format.h>
#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "sw/base/refusal.hpp"

namespace weft::board {
namespace fs = std::filesystem;
namespace {

std::string group_name(gid_t id) {
  const group* entry = ::getgrgid(id);
  return entry != nullptr ? entry->gr_name : std::to_string(id);
}

/// Checks the group database, which may list more groups than this process has.
bool user_is_member(gid_t id) {
  const passwd* user = ::getpwuid(::getuid());
  if (user == nullptr) return false;
  int count = 0;
  ::getgrouplist(user->pw_name, user->pw_gid, nullptr, &count);
  std::vector<gid_t> groups(static_cast<std::size_t>(std::max(count, 1)));
  if (::getgrouplist(user->pw_name, user->pw_gid, groups.data(), &count) < 0) return false;
  return std::ranges::find(groups, id) != groups.end();
}

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

}  // namespace

DeviceAccess device_access(const fs::path& node) {
  DeviceAccess access;
  struct stat what {};
  if (::stat(node.c_str(), &what) != 0) return access;
  access.exists = true;
  access.may_open = ::access(node.c_str(), R_OK | W_OK) == 0;
  access.group = group_name(what.st_gid);
  access.group_may = (what.st_mode & (S_IRGRP | S_IWGRP)) == (S_IRGRP | S_IWGRP);
  access.member = user_is_member(what.st_gid);
  return access;
}

std::vector<std::string> holders(const fs::path& proc, const fs::path& node) {
  std::vector<std::string> found;
  std::error_code error;
  const fs::path real = fs::canonical(node, error);
  if (error) return found;
  for (const auto& process : fs::directory_iterator(proc, error)) {
    const std::string pid = process.path().filename().string();
    if (!is_number(pid)) continue;
    std::error_code hidden;  // the process is another user's, or has just ended
    for (const auto& descriptor : fs::directory_iterator(process.path() / "fd", hidden)) {
      if (fs::read_symlink(descriptor.path(), hidden) != real) continue;
      std::string name;
      std::ifstream comm(process.path() / "comm");
      std::getline(comm, name);
      found.push_back(fmt::format("process {} ({})", pid, one_line(name, 64)));
      break;
    }
  }
  return found;
}

}  // namespace weft::board
