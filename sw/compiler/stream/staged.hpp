/// Reordering of a descriptor's weights from their order in memory to the order in which they are sent.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sw/compiler/stream/parameters.hpp"
#include "sw/compiler/stream/stream_descriptor.hpp"
#include "sw/compiler/stream/transpose.hpp"

namespace weft::compiler {

/// The elements common to all outputs of a line, in the order in which they are sent.
struct InterleavedLine {
  explicit InterleavedLine(const std::vector<std::vector<Element>>& rows, std::uint64_t stride);

  /// Calls work(first, last) for the part of each run that is within [begin, end).
  template <class F>
  void for_each_run(std::size_t begin, std::size_t end, const F& work) const {
    for (auto run = std::ranges::upper_bound(runs, begin); begin < end; ++run) {
      const std::size_t last = std::min(*run, end);
      work(begin, last);
      begin = last;
    }
  }

  std::vector<std::uint32_t> destinations;  ///< index << 16
  std::vector<std::uint64_t> sources;       ///< parameters of output 0
  std::uint64_t out_stride;                 ///< from an output's parameters to those of the next output
  std::vector<std::size_t> runs;            ///< ends of runs of elements with consecutive parameters
  std::vector<std::size_t> last;  ///< [row]: number of elements sent before an additional, last element of this row
};

/// If the parameters of neighbouring outputs are adjacent in memory, a cache line holds one weight of each of sixteen
/// outputs, which are far apart in the stream. The outputs of some neighbouring rows are therefore read together, and
/// kept as bf16.
class Staged {
 public:
  /// `descriptor` and `lines` must outlive this.
  Staged(const StreamDescriptor& descriptor, const std::vector<InterleavedLine>& lines);

  /// Returns true if the descriptor has such parameters.
  bool is_usable() const { return is_usable_; }
  /// The bf16s of the next line, [elements]. Lines must be requested in the descriptor's order.
  const std::uint16_t* next(const Parameters& parameters);

 private:
  static constexpr std::size_t kTogether = Tile::kOutputs;
  static constexpr std::size_t kRoom = std::size_t{1} << 19;      ///< weights
  static constexpr std::size_t kMostRoom = std::size_t{1} << 24;  ///< if they are of less than kTogether rows

  std::size_t outputs_that_fit() const;
  void stage(const Parameters& parameters);

  const std::vector<InterleavedLine>& lines_;
  bool is_usable_ = false;
  std::vector<int> outputs_, homes_;         // all, in the descriptor's order
  std::size_t per_output_ = 0;               // weights
  std::size_t staged_ = 0;                   // outputs so far
  std::unique_ptr<std::uint16_t[]> values_;  // [output][line][elements]
  std::size_t size_ = 0, room_ = 0;          // elements
  std::size_t line_ = 0, at_ = 0;            // next line; position in values_
};

}  // namespace weft::compiler
