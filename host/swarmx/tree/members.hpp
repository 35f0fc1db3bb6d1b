/// The wafers of a swarm, or other members: who is connected, who never joined, who was lost and why.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "host/swarmx/protocol/member_traffic.hpp"
#include "host/swarmx/protocol/status.hpp"

namespace weft::swarmx {

/// Thread-safe. A wafer that rejoins gets a new member id, so two members may have one name while the first is
/// not known to be lost.
class Members {
 public:
  /// `names`: the expected members.
  explicit Members(std::vector<std::string> names);

  /// Returns a member id that was never used before.
  std::uint32_t reserve();
  /// Adds member `member_id`, called `name`, from the address `host` (empty: in this process), below node `node` of
  /// another process (empty: none).
  void add(std::uint32_t member_id, const std::string& name, const std::string& host, const std::string& node = {});
  /// Adds a member with a new id, which it returns.
  std::uint32_t add(const std::string& name, const std::string& host = {}) {
    const std::uint32_t member_id = reserve();
    add(member_id, name, host);
    return member_id;
  }
  /// Sets the traffic counters of the member's connection.
  void connect(std::uint32_t member_id, std::shared_ptr<const Traffic> traffic);
  /// Sets the traffic of a member below a node of another process, as the node reports it.
  void set_traffic(const MemberTraffic& traffic);
  /// Notes that the member was asked to end, by `why`; it continues to work.
  void set_leaving(std::uint32_t member_id, const std::string& why);
  void mark_lost(std::uint32_t member_id, const std::string& why);
  /// True if a member of this name is connected, or is not known to be lost yet.
  bool has(const std::string& name) const;

  /// Number of connected members.
  std::size_t connected_count() const;
  /// Lists who never joined, at most 8 names and the number of others; empty if all have joined.
  std::string never_joined() const;
  /// Reason of the last loss; empty if there was none.
  std::string last_loss() const;

  struct Member {
    std::uint32_t member_id = 0;  ///< the last that it had, if it ever joined
    RankStatus status;            ///< without its present activity
  };
  /// Returns all: first the expected names in order; then others that joined, by the numbers in their names.
  std::vector<Member> all() const;

 private:
  static constexpr std::size_t kMostNames = 8;

  mutable std::mutex mutex_;
  std::vector<std::string> names_;
  std::map<std::uint32_t, std::string> connected_;
  struct Record {
    std::uint32_t member_id = 0;
    RankStatus status;
    std::shared_ptr<const Traffic> traffic;  // null: none
  };
  std::map<std::string, Record> joined_;  // [name]: of all that ever joined, the last
  std::vector<std::string> unexpected_;   // names in joined_ that are not in names_
  std::chrono::system_clock::time_point begin_ = std::chrono::system_clock::now();
  std::string last_loss_;
  std::uint32_t next_ = 0;
};

}  // namespace weft::swarmx
