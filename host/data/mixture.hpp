/// Interleaving of several data sets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weft::data {

/// Assigns the positions 0, 1, ... of the endless sequence of samples to data sets by their weights: among the first n
/// positions, each set's number of samples differs from its share of n by less than one. The assignment is a pure
/// function of the weights and the position, so a run can continue without saved state, and all processes agree.
///
/// Shares are whole parts of a cycle of kCycle positions, which repeats: weights that are multiples of 1/10,000 are
/// exact. Within a cycle, the j-th sample of a set with n parts is assigned a position from floor(j*kCycle/n) to below
/// ceil((j+1)*kCycle/n); among the eligible sets, the one with the earliest deadline comes first (EDF scheduling,
/// always feasible: Baruah et al., "Proportionate progress", 1996).
class Mixture {
 public:
  static constexpr std::uint64_t kCycle = 10000;

  struct Place {
    std::size_t set;
    std::uint64_t position;  ///< in the endless sequence of the set's own samples
  };

  /// There must be at least one weight, each above 0, with any sum. Throws Refusal if a weight is less than half a part
  /// of a cycle.
  explicit Mixture(std::span<const double> weights);

  Place at(std::uint64_t position) const;
  /// [set]: parts of a cycle, whose sum is kCycle.
  const std::vector<std::uint64_t>& parts() const { return parts_; }

 private:
  std::vector<std::uint64_t> parts_;
  std::vector<Place> cycle_;  // [position]
};

}  // namespace weft::data
