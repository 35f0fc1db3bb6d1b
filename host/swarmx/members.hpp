/// Which wafers a swarm has, by name: who is there, who never came, who was lost and why.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace weft {

/// Thread-safe.
class Members {
 public:
  /// Those that are to come.
  explicit Members(std::vector<std::string> names);

  /// `name` is let in. Nothing if it is there already; else its seat, which nobody had before.
  std::optional<std::uint32_t> enter(const std::string& name);
  void lose(const std::string& name, const std::string& why);

  /// Who never came, at most 8 names and how many more; empty if all have been here.
  std::string never_came() const;
  /// Why one was lost, the last; empty if nobody was.
  std::string last_loss() const;
  std::size_t there() const;

 private:
  static constexpr std::size_t kMostNames = 8;

  mutable std::mutex mutex_;
  std::vector<std::string> names_;
  std::set<std::string> there_;
  std::set<std::string> came_;  // ever
  std::string last_loss_;
  std::uint32_t next_ = 0;
};

}  // namespace weft
