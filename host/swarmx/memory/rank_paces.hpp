/// Times in which the ranks of MemoryX answer, which show a slow one. No clock.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "host/swarmx/protocol/frame.hpp"

namespace weft::swarmx {

/// A rank is slow while its mean time for an answer, or the time that it has needed for the present one, is more than
/// `straggler` times the median of the other ranks' means, and more than kShortest. It cannot be left out: each rank
/// has a part of the state.
class RankPaces {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::seconds kShortest{1};
  /// `straggler` 0: no rank is slow.
  RankPaces(std::size_t ranks, double straggler) : straggler_(straggler), ranks_(ranks) {}

  /// Notes a frame to a rank, which may be a request, or a frame of a rank, which may be an answer: sums of squares
  /// (Norm), which come after all gradients of a step, or an update (Apply; Done).
  void sent(std::size_t rank, const Frame& frame, Time now);
  void received(std::size_t rank, const Frame& frame, Time now);
  /// Returns what is slow: "an update takes 4 s, others take 1 s"; empty: nothing.
  std::string slow_part(std::size_t rank, Time now) const;

 private:
  using Duration = std::chrono::duration<double>;
  static constexpr std::size_t kKinds = 2;
  struct Answers {
    std::optional<Time> since = {};     // the first request without an answer
    std::optional<Duration> mean = {};  // of the last answers
  };
  static std::optional<std::size_t> kind_of(FrameType type);
  std::optional<Duration> usual(std::size_t rank, std::size_t kind) const;

  double straggler_;
  std::vector<std::array<Answers, kKinds>> ranks_;
};

}  // namespace weft::swarmx
