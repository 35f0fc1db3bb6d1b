/// Deferred dot products of lockstep columns: those of several outputs are computed together.
///
/// Their sums are used only by vr, which sends them west, and in lockstep no tile takes what goes west. So nothing
/// waits for the sums, and they count as computed: code that could observe the difference calls catch_up() first.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "verif/model/machine/aligned.hpp"
#include "verif/model/numbers/terms.hpp"

namespace weft::model {

class West;

class DeferredDots {
 public:
  static constexpr int kOutputs = 8;  ///< at most
  static constexpr std::size_t kNowhere = ~std::size_t{0};

  /// The dot products of one entry of MP.
  struct Group {
    int slots;                    ///< first entry of R
    std::size_t first, n;         ///< range of features
    std::size_t west = kNowhere;  ///< position in West for the lane sums, if vr has taken the group
  };
  struct Output {
    std::size_t first, n;  ///< range of features
  };

  /// `width`: floats of an accumulator entry. `most`: maximum number of outputs, up to kOutputs.
  DeferredDots(int width, int most) : most_(static_cast<std::size_t>(most)), width_(static_cast<std::size_t>(width)) {}

  bool any() const { return !groups.empty(); }
  bool full() const { return outputs.size() == most_; }
  /// Room for the deltas of another output, in words of `weights` for `vl` beats ([beat / kTerms][col][lane]), to be
  /// filled by the caller. Requires !full() and the `vl` of all deferred outputs.
  std::uint32_t* deltas(int vl);
  /// The deltas stored last; null if there never were any.
  const std::uint32_t* current() const { return dy_ ? dy(current_) : nullptr; }
  /// Begins the output of the current deltas, or continues it.
  void begin();
  /// Room for the features of another group, at most `most`.
  const std::uint16_t** features(std::size_t most) {
    if (x_.size() < size_ + most) x_.resize(2 * (size_ + most));
    return x_.data() + size_;
  }
  /// Adds a group of n features, stored at features(), to the output that began last.
  void add(int slots, std::size_t n);
  /// Features of all groups, output by output.
  std::span<const std::uint16_t* const> x() const { return {x_.data(), size_}; }
  /// True if the front entry of MP, which has `entries` entries, is deferred: the deferred groups are the last ones
  /// pushed.
  bool in_front(int entries) const {
    return reduced < groups.size() && groups.size() - reduced >= static_cast<std::size_t>(entries);
  }
  /// Some groups have not been taken by vr yet.
  bool waits() const { return reduced < groups.size(); }
  /// The `n` features at features() are those of the output before the one that began last.
  bool repeats(std::size_t n) const {
    if (outputs.size() < 2 || outputs[outputs.size() - 2].n != n) return false;
    return std::equal(x_.data() + size_, x_.data() + size_ + n, x_.data() + outputs[outputs.size() - 2].first);
  }
  /// vr takes the front group; the sums of its lanes go to `reserved` in `to`.
  void reduce(West& to, std::size_t reserved) {
    west = &to;
    groups[reduced++].west = reserved;
  }
  const std::uint32_t* dy(std::size_t output) const { return dy_->data() + output * words(); }
  void clear();

  std::vector<Output> outputs;
  std::vector<Group> groups;
  std::size_t reduced = 0;  ///< groups taken by vr
  West* west = nullptr;     ///< destination of the reduced groups
  int beats = 0;            ///< beats of a vector

 private:
  /// Words of one output's deltas.
  std::size_t words() const { return static_cast<std::size_t>(words_of(beats)) * width_; }

  std::size_t most_, width_;
  std::vector<const std::uint16_t*> x_;  ///< [0, size_) are features
  std::size_t size_ = 0;
  std::optional<Aligned<std::uint32_t>> dy_;  ///< [output][beat / kTerms][col][lane]
  int room_ = 0;                              ///< capacity of dy_ in beats
  std::size_t current_ = 0;                   ///< the output with the latest deltas
  bool open_ = false;                         ///< the current output is in `outputs`
};

}  // namespace weft::model
