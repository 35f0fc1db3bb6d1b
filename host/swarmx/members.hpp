/// Which wafers a swarm has: who is there, who never came, who was lost and why.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "host/swarmx/seat_traffic.hpp"
#include "host/swarmx/status.hpp"

namespace weft {

/// Thread-safe. A wafer that comes back gets another seat, so two may have the same name while the first is not known
/// to be lost.
class Members {
 public:
  /// Those that are to come.
  explicit Members(std::vector<std::string> names);

  /// A seat that nobody had before.
  std::uint32_t reserve();
  /// `name` is let in, from the address `host` (empty: it is in this process), as `seat`; below a node, or not.
  void enter(std::uint32_t seat, const std::string& name, const std::string& host, const std::string& node = {});
  /// The same with a seat that it returns.
  std::uint32_t enter(const std::string& name, const std::string& host = {}) {
    const std::uint32_t seat = reserve();
    enter(seat, name, host);
    return seat;
  }
  /// What goes over the seat's connection.
  void connect(std::uint32_t seat, std::shared_ptr<const Traffic> traffic);
  /// What goes over that of a seat below a node of another process, which the node tells.
  void told(const SeatTraffic& traffic);
  /// It is asked to end, by `why`, and works on.
  void leaves(std::uint32_t seat, const std::string& why);
  void lose(std::uint32_t seat, const std::string& why);
  /// One of this name is here, or was not said to be lost yet.
  bool has(const std::string& name) const;

  std::size_t there() const;
  /// Who never came, at most 8 names and how many more; empty if all have been here.
  std::string never_came() const;
  /// Why one was lost, the last; empty if nobody was.
  std::string last_loss() const;

  struct Member {
    std::uint32_t seat = 0;  ///< the last that it had, if it ever came
    RankStatus status;       ///< but for what it does
  };
  /// All, by the names that are to come; then others that came, by the numbers in their names.
  std::vector<Member> all() const;

 private:
  static constexpr std::size_t kMostNames = 8;

  mutable std::mutex mutex_;
  std::vector<std::string> names_;
  std::map<std::uint32_t, std::string> there_;
  struct Record {
    std::uint32_t seat = 0;
    RankStatus status;
    std::shared_ptr<const Traffic> traffic;  // null: none
  };
  std::map<std::string, Record> came_;  // ever, by name: the last of each
  std::vector<std::string> more_;       // of those, who is none of names_
  std::chrono::system_clock::time_point begin_ = std::chrono::system_clock::now();
  std::string last_loss_;
  std::uint32_t next_ = 0;
};

}  // namespace weft
