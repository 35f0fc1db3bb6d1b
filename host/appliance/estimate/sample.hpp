/// Of a stream's outputs, those that are followed message by message: what the others take follows from them.
#pragma once

#include <cstddef>
#include <vector>

namespace weft {

struct Sample {
  std::size_t steps = 1'000'000;  ///< nearly at most: of a message in a tile, of a line in a row
  std::size_t outputs = 32;       ///< at least, in each half: until rows are in step
  int columns = 4;                ///< of a gradient, where W turns around: of more each stands for several
};

/// Outputs behind the sample take as long as the second half of it did.
class Extrapolation {
 public:
  /// `all`: outputs.
  Extrapolation(std::size_t all, const Sample& sample) : all_(all), most_(sample.steps), fewest_(sample.outputs) {}

  /// Output `output` is done at `end`, after so many steps in all; `home_done`: and so are those of its home row.
  /// Whether it is enough. Halves end with a home row's outputs, since the change to the next takes time.
  bool stop(std::size_t output, bool home_done, std::size_t steps, double end) {
    const std::size_t done = output + 1;
    if (done < fewest_ || !home_done) return false;
    if (half_ == 0 && 2 * steps >= most_) half_ = done, half_end_ = end;
    if (steps < most_ || done < 2 * half_ || done == half_) return false;
    if (done < all_) rest_ = static_cast<double>(all_ - done) * (end - half_end_) / static_cast<double>(done - half_);
    return true;
  }
  /// Of the outputs that are left.
  double cycles() const { return rest_; }

 private:
  std::size_t all_, most_, fewest_, half_ = 0;
  double half_end_ = 0, rest_ = 0;
};

/// Rows behind the last one that is home of something.
inline std::size_t empty_at_the_end(const std::vector<int>& homes) {
  std::size_t empty = 0;
  while (empty + 1 < homes.size() && homes[homes.size() - 1 - empty] == 0) ++empty;
  return empty;
}

}  // namespace weft
