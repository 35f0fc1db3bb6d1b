/// Which wafers a swarm has: who is there, who never came, who was lost and why.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace weft {

/// Thread-safe. A wafer that comes back gets another seat, so two may have the same name while the first is not known
/// to be lost.
class Members {
 public:
  /// Those that are to come.
  explicit Members(std::vector<std::string> names);

  /// `name` is let in. Its seat, which nobody had before.
  std::uint32_t enter(const std::string& name);
  void lose(std::uint32_t seat, const std::string& why);

  std::size_t there() const;
  /// Who never came, at most 8 names and how many more; empty if all have been here.
  std::string never_came() const;
  /// Why one was lost, the last; empty if nobody was.
  std::string last_loss() const;

 private:
  static constexpr std::size_t kMostNames = 8;

  mutable std::mutex mutex_;
  std::vector<std::string> names_;
  std::map<std::uint32_t, std::string> there_;
  std::set<std::string> came_;  // ever
  std::string last_loss_;
  std::uint32_t next_ = 0;
};

}  // namespace weft
