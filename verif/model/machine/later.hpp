/// Dot products of columns in step that are put off, until those of several outputs are made together.
///
/// Their sums are only for vr, which sends them west, and nobody on the wafer takes what goes west in step. So nobody
/// waits for them, and they count as made: who may see the difference calls catch_up() first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "verif/model/machine/aligned.hpp"
#include "verif/model/terms.hpp"

namespace weft::model {

class West;

class Later {
 public:
  static constexpr int kOutputs = 8;  ///< at most
  static constexpr std::size_t kNowhere = ~std::size_t{0};

  /// What one entry of MP is about.
  struct Group {
    int slots;                    ///< its first entry of R
    std::size_t first, n;         ///< of the features
    std::size_t west = kNowhere;  ///< where vr wants the sums of its lanes, in West
  };
  struct Output {
    std::size_t first, n;  ///< of the features
  };

  /// `width`: floats of an accumulator entry. `most`: outputs, up to kOutputs.
  Later(int width, int most) : most_(static_cast<std::size_t>(most)), width_(static_cast<std::size_t>(width)) {}

  bool any() const { return !groups.empty(); }
  bool full() const { return outputs.size() == most_; }
  /// Room for the deltas of another output, words of `weights` of so many beats ([beat / kTerms][col][lane]), to be
  /// filled. Not if it is full; the same beats as of all that are put off.
  std::uint32_t* deltas(int vl);
  /// The deltas that were put there last; null: never any.
  const std::uint32_t* current() const { return dy_ ? dy(current_) : nullptr; }
  /// That output begins, or goes on if it has.
  void begin();
  /// Room for the features of another group, at most so many.
  const std::uint16_t** features(std::size_t most) {
    if (x_.size() < size_ + most) x_.resize(2 * (size_ + most));
    return x_.data() + size_;
  }
  /// They are there, so many: a group of the output that began last.
  void add(int slots, std::size_t n);
  /// Features of all groups, output by output.
  std::span<const std::uint16_t* const> x() const { return {x_.data(), size_}; }
  /// What is in front of MP, which has so many entries, is put off: they are the last ones put into it.
  bool in_front(int entries) const {
    return reduced < groups.size() && groups.size() - reduced >= static_cast<std::size_t>(entries);
  }
  /// vr takes that group, and wants the sums of its lanes there.
  void reduce(West& to, std::size_t reserved) {
    west = &to;
    groups[reduced++].west = reserved;
  }
  const std::uint32_t* dy(std::size_t output) const { return dy_->data() + output * words(); }
  void clear();

  std::vector<Output> outputs;
  std::vector<Group> groups;
  std::size_t reduced = 0;  ///< groups that vr has taken
  West* west = nullptr;     ///< to which
  int beats = 0;            ///< of a vector

 private:
  /// Of an output's deltas.
  std::size_t words() const { return static_cast<std::size_t>(words_of(beats)) * width_; }

  std::size_t most_, width_;
  std::vector<const std::uint16_t*> x_;  ///< [0, size_) are features
  std::size_t size_ = 0;
  std::optional<Aligned<std::uint32_t>> dy_;  ///< [output][beat / kTerms][col][lane]
  int room_ = 0;                              ///< beats that dy_ has room for
  std::size_t current_ = 0;                   ///< the output whose deltas came last
  bool open_ = false;                         ///< it is among `outputs`
};

}  // namespace weft::model
