/// The number of the process's open file descriptors, and a temporary limit on them.
#pragma once

#include <fcntl.h>
#include <sys/resource.h>

#include <filesystem>
#include <iterator>
#include <set>
#include <string>

namespace weft::swarmx {

inline std::set<int> used_descriptors() {
  std::set<int> used;
  const std::filesystem::directory_iterator all("/proc/self/fd");
  for (const auto& entry : all) used.insert(std::stoi(entry.path().filename().string()));
  for (auto at = used.begin(); at != used.end();) {  // the descriptor of the listing itself is closed by now
    at = ::fcntl(*at, F_GETFD) < 0 ? used.erase(at) : std::next(at);
  }
  return used;
}

/// While an instance exists, only `more` further descriptors can be opened.
class FewDescriptors {
 public:
  explicit FewDescriptors(int more) {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    const std::set<int> used = used_descriptors();
    int limit = 0;
    for (int free = 0; free < more || used.contains(limit); ++limit) free += used.contains(limit) ? 0 : 1;
    const rlimit few{.rlim_cur = static_cast<rlim_t>(limit), .rlim_max = before_.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &few);
  }
  ~FewDescriptors() { ::setrlimit(RLIMIT_NOFILE, &before_); }
  FewDescriptors(const FewDescriptors&) = delete;
  FewDescriptors& operator=(const FewDescriptors&) = delete;

 private:
  rlimit before_{};
};

}  // namespace weft::swarmx
