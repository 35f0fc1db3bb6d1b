/// Weights of a sweep in the order they are sent, where memory has them in another.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sw/compiler/parameters.hpp"
#include "sw/compiler/sweep.hpp"
#include "sw/compiler/transpose.hpp"

namespace weft {

/// The taps that all outputs of a line have, as they are sent.
struct DealtLine {
  explicit DealtLine(const std::vector<std::vector<Tap>>& rows, std::uint64_t stride);

  /// Calls work(first, last) for what of each run is within [begin, end).
  template <class F>
  void for_each_run(std::size_t begin, std::size_t end, const F& work) const {
    for (auto run = std::ranges::upper_bound(runs, begin); begin < end; ++run) {
      const std::size_t last = std::min(*run, end);
      work(begin, last);
      begin = last;
    }
  }

  std::vector<std::uint32_t> heads;    ///< index << 16
  std::vector<std::uint64_t> sources;  ///< of output 0
  std::uint64_t out_stride;            ///< of output o: that much further, o times
  std::vector<std::size_t> runs;       ///< behind each run of taps whose parameters follow one another
  std::vector<std::size_t> last;       ///< [row]: how many are sent before one more tap of this row, its last
};

/// Where neighbouring outputs have their parameters beside each other, a cache line holds one weight of each of
/// sixteen, which the stream wants far apart. So the outputs of some neighbouring rows are read together, and kept as
/// bf16.
class Staged {
 public:
  /// `sweep` and `lines` must outlive this.
  Staged(const Sweep& sweep, const std::vector<DealtLine>& lines);

  /// Whether that is so here.
  bool helps() const { return helps_; }
  /// The bf16s of the next line, [taps]. Lines must be asked for in the sweep's order.
  const std::uint16_t* next(const Parameters& parameters);

 private:
  static constexpr std::size_t kTogether = Tile::kOutputs;
  static constexpr std::size_t kRoom = std::size_t{1} << 19;      ///< weights
  static constexpr std::size_t kMostRoom = std::size_t{1} << 24;  ///< if they are of less than kTogether rows

  std::size_t outputs_that_fit() const;
  void stage(const Parameters& parameters);

  const std::vector<DealtLine>& lines_;
  bool helps_ = false;
  std::vector<int> outputs_, homes_;         // all, in the sweep's order
  std::size_t per_output_ = 0;               // weights
  std::size_t staged_ = 0;                   // outputs so far
  std::unique_ptr<std::uint16_t[]> values_;  // [output][line][taps]
  std::size_t size_ = 0, room_ = 0;          // elements
  std::size_t line_ = 0, at_ = 0;            // of values_, what comes next
};

}  // namespace weft
