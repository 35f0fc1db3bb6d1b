/// From which of several data sets a sample is taken.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weft {

/// Deals the positions 0, 1, ... of the endless sequence of samples to data sets by their weights: of any first n
/// positions each set gets its share of n, but for less than one. A pure function of the weights and the position, so a
/// run needs to remember nothing to go on, and every process deals alike.
///
/// Shares are whole parts of a cycle of kCycle positions, which repeats: weights of which one part in 10,000 is more
/// than a rounding are exact. Within a cycle, the j-th sample of a set with n parts is dealt at a position from
/// floor(j*kCycle/n) to below ceil((j+1)*kCycle/n), of those that may come the one that must come first (earliest
/// deadline first: always possible, Baruah et al., "Proportionate progress", 1996).
class Mixture {
 public:
  static constexpr std::uint64_t kCycle = 10000;

  struct Place {
    std::size_t set;
    std::uint64_t position;  ///< in the endless sequence of the set's own samples
  };

  /// At least one weight, each above 0; their sum may be any. Throws Refusal if one has less than half a part of a
  /// cycle.
  explicit Mixture(std::span<const double> weights);

  Place at(std::uint64_t position) const;
  /// [set]: parts of a cycle, whose sum is kCycle.
  const std::vector<std::uint64_t>& parts() const { return parts_; }

 private:
  std::vector<std::uint64_t> parts_;
  std::vector<Place> cycle_;  // [position]
};

}  // namespace weft
