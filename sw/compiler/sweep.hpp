/// The part of a call's stream that grows with the model, as a descriptor: weights or indices, output by output.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "sw/compiler/space.hpp"

namespace weft {

/// Outputs in the order of home rows, and there of slots; for each its lines; of a line its taps, then a CR. A tap is
/// an input feature that exists: a weight, or its index alone. In a line the rows take turns, so that all stay busy:
/// first the first tap of each row, then the second of each. A row's taps come in the order of the inputs, and of an
/// input's features; behind them, in their lines, bias and residual.
struct Sweep {
  /// An array that is multiplied, with its matrix: tap i of output o is parameter offset + i*in_stride + o*out_stride,
  /// and lies at local + slot of i - from. Only features of slots `from` to below `to` are taps.
  struct Input {
    std::shared_ptr<const Space> space;
    int local = 0;
    std::uint64_t offset = 0;
    std::uint64_t in_stride = 0, out_stride = 0;
    int from = 0, to = std::numeric_limits<int>::max();
    bool has(int feature) const { return space->slot(feature) >= from && space->slot(feature) < to; }
    int local_of(int feature) const { return local + space->slot(feature) - from; }
  };
  /// Where an output o has one tap more: parameter offset + o, of the always-one feature at `local`. On row
  /// (home + slot) mod rows, or, `before_home`, on the row before the home row.
  struct Bias {
    std::uint64_t offset = 0;
    int local = 0;
    bool before_home = false;  ///< it must, beside a residual
    int line = 0;
  };
  /// Another: 1.0 times the output's own old value, on its home row, where slot 0 is at `local`.
  struct Residual {
    int local = 0;
    int line = 0;
  };
  /// One weight for each row: parameter offset + f, f being the row's feature of the output's slot. It lies at local +
  /// slot, or, `fixed`, at local.
  struct Own {
    int local = 0;
    bool fixed = false;
    std::uint64_t offset = 0;
    int line = 0;
  };

  enum class Values : std::uint8_t { Weights, Indices };

  Values values = Values::Weights;
  std::shared_ptr<const Space> outputs;   ///< null: there is no sweep
  std::vector<std::vector<Input>> lines;  ///< of each output
  std::optional<Bias> bias;
  std::optional<Residual> residual;
  std::vector<Own> own;  ///< if any: an output is a slot of `outputs`, and its lines have these taps
  std::shared_ptr<const std::vector<bool>> kept;  ///< a bit for each parameter; null: all exist

  bool empty() const { return outputs == nullptr; }
  /// Of an output.
  int lines_of_output() const {
    int count = static_cast<int>(lines.size());
    for (const Own& one : own) count = std::max(count, one.line + 1);
    return count;
  }
};

/// One message of a sweep to be: row and index of where it goes, and the parameter it is of.
struct Tap {
  static constexpr std::uint64_t kOne = ~std::uint64_t{1};  ///< no parameter, the constant 1.0
  std::uint16_t row = 0;
  std::uint16_t index = 0;  ///< row and local index, as a message has them
  std::uint64_t source = 0;
};

/// Reads a sweep line by line.
class SweepReader {
 public:
  /// `sweep` must outlive this.
  explicit SweepReader(const Sweep& sweep);

  /// Goes to the next line, at first to the first; false behind the last.
  bool next();
  struct Place {
    int line = -1, home = -1, slot = 0;
  };
  Place place() const { return {line_, home_, slot_}; }
  void go(const Place& place);
  int line() const { return line_; }  ///< of the output
  int output() const { return output_; }
  int home() const { return home_; }

  /// The line's taps of one row that exist, in their order.
  void of_row(int row, std::vector<Tap>& taps) const;
  /// How many these are; `some` is scratch.
  std::size_t count_of_row(int row, std::vector<Tap>& some) const;
  /// All that exist, as they are sent.
  void dealt(std::vector<Tap>& taps) const;
  /// Taps of each row for output 0 of a line, if all exist; of output o they are the same, but that parameters are
  /// out_stride further o times, and that bias and residual are its own.
  const std::vector<std::vector<Tap>>& common(std::size_t line) const { return common_[line]; }
  std::uint64_t out_stride(std::size_t line) const { return out_stride_[line]; }
  /// Bias and residual of this line, as far as they exist, in the order they are sent if all taps exist.
  const std::vector<Tap>& extras() const { return extras_; }
  /// Whether all taps exist, in lines.
  bool is_whole() const { return sweep_.kept == nullptr && sweep_.own.empty(); }

 private:
  bool step();
  void find_output();
  void find_extras();
  bool exists(std::uint64_t source) const;
  int rows() const { return sweep_.outputs->rows(); }
  std::uint16_t index(int row, int local) const { return static_cast<std::uint16_t>(row << row_shift_ | local); }
  void own_of_row(int row, std::vector<Tap>& taps) const;

  const Sweep& sweep_;
  int row_shift_ = 16;
  int lines_ = 0;  // of an output
  int line_ = -1, home_ = -1, slot_ = 0, output_ = 0;
  std::vector<std::vector<std::vector<Tap>>> common_;  // [line][row]
  std::vector<std::uint64_t> out_stride_;              // [line]
  std::vector<Tap> extras_;
  mutable std::vector<std::vector<Tap>> by_row_;
};

}  // namespace weft
