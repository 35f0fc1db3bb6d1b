/// Wafers of other processes, as threads of the test.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "host/swarmx/auth/credentials.hpp"
#include "host/swarmx/members/member.hpp"
#include "host/swarmx/root/swarm.hpp"
#include "sw/base/failure.hpp"

namespace weft::swarmx {

/// The key of all tests, in a file that exists during the program's lifetime.
class TestKey {
 public:
  TestKey() {
    std::string name = (std::filesystem::temp_directory_path() / "weft_key_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = name;
    std::ofstream(file()) << std::string(64, 'k');
    std::filesystem::permissions(file(), std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  }
  ~TestKey() { std::filesystem::remove_all(folder_); }
  TestKey(const TestKey&) = delete;
  TestKey& operator=(const TestKey&) = delete;
  std::filesystem::path file() const { return folder_ / "key"; }

 private:
  std::filesystem::path folder_;
};
inline const TestKey& test_key() {
  static const TestKey key;
  return key;
}
inline const std::shared_ptr<const Credentials>& test_credentials() {
  static const auto credentials = key_credentials(test_key().file());
  return credentials;
}

/// Makes wafers `local` and above remote.
inline void let_join(SwarmOptions& options, int local) {
  options.local_wafers = local;
  options.credentials = test_credentials();
  options.job = "test";
}

/// The options with which processes join `swarm`.
inline JoinOptions join_of(const Swarm& swarm, const SwarmOptions& options) {
  return {.port = swarm.port(),
          .credentials = test_credentials(),
          .job = options.job,
          .build = options.build,
          .digest = options.digest,
          .silence = options.silence,
          .timeout = options.timeout};
}

/// The options of wafer `id`, which joins `swarm`.
inline MemberOptions member_of(const Swarm& swarm, const SwarmOptions& options, int id) {
  return {.id = id, .make_wafer = options.make_wafer, .join = join_of(swarm, options)};
}

/// Starts a wafer that joins and runs until the swarm stops it.
inline std::jthread start_member(FirstFailure& failure, MemberOptions options) {
  return guarded_thread(failure, [options = std::move(options)] { run_member(options); });
}

}  // namespace weft::swarmx
