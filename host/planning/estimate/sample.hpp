/// Sampling of a stream's outputs: some are simulated message by message, and the rest is extrapolated.
#pragma once

#include <cstddef>
#include <vector>

namespace weft::planning {

struct Sample {
  std::size_t steps = 1'000'000;  ///< approximate maximum; a step is a message in a tile or a line in a row
  std::size_t outputs = 32;       ///< minimum in each half, until the rows run in lockstep, unless they have very many
                                  ///< steps: outputs with many weights need fewer
  int columns = 4;                ///< for a gradient where W turns around: columns to simulate; each stands for several
                                  ///< if there are more
};

/// Extrapolates the outputs after the sample from the rate in its second half.
class Extrapolation {
 public:
  /// `all`: number of outputs.
  Extrapolation(std::size_t all, const Sample& sample) : all_(all), most_(sample.steps), fewest_(sample.outputs) {}

  /// Output `output` is done at `end`, after `steps` steps in total. `home_done`: it is the last output of its home
  /// row. Returns true if the sample suffices. Both halves end with the last output of a home row, since the change to
  /// the next takes time.
  bool stop(std::size_t output, bool home_done, std::size_t steps, double end) {
    constexpr std::size_t kVeryMany = 8;  // times the number of steps
    const std::size_t done = output + 1;
    if (!home_done || (done < fewest_ && 2 * steps < kVeryMany * most_)) return false;
    if (half_ == 0 && 2 * steps >= most_) half_ = done, half_end_ = end;
    if (steps < most_ || done < 2 * half_ || done == half_) return false;
    if (done < all_) rest_ = static_cast<double>(all_ - done) * (end - half_end_) / static_cast<double>(done - half_);
    return true;
  }
  /// Cycles of the outputs after the sample.
  double cycles() const { return rest_; }

 private:
  std::size_t all_, most_, fewest_, half_ = 0;
  double half_end_ = 0, rest_ = 0;
};

/// Number of trailing rows that are home to no output.
inline std::size_t empty_at_the_end(const std::vector<int>& homes) {
  std::size_t empty = 0;
  while (empty + 1 < homes.size() && homes[homes.size() - 1 - empty] == 0) ++empty;
  return empty;
}

}  // namespace weft::planning
