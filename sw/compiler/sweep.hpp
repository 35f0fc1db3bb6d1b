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
/// input's features; behind them, in their lines, bias and residual. Outputs may be dealt: then so many of a home row
/// are one line, in which they take turns in each row.
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

  /// `each` outputs of a home row share their lines, its last ones fewer. In a row
  /// that has taps of it the outputs take turns: the first tap of each, then the second. Where one has none any more,
  /// and in place of outputs that the home row's last line has not, stands a pad: -0 times the always-one feature at
  /// `ones`. Behind the last tap there are none, but for the first round (docs/psum.md). The same of slots, with `own`;
  /// their last line has turns of as many as there are.
  struct Deal {
    int each = 1;
    int ones = 0;
  };

  enum class Values : std::uint8_t { Weights, Indices };

  Values values = Values::Weights;
  std::shared_ptr<const Space> outputs;   ///< null: there is no sweep
  std::vector<std::vector<Input>> lines;  ///< of each output
  std::optional<Bias> bias;
  std::optional<Residual> residual;
  std::optional<Deal> deal;
  std::vector<Own> own;  ///< if any: an output is a slot of `outputs`, and its lines have these taps
  int together = 1;  ///< with `own`: so many slots share a line, the last one fewer, one slot's taps behind another's
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
  static constexpr std::uint64_t kPad = ~std::uint64_t{2};  ///< the same, -0
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
  int line() const { return line_; }      ///< of the output
  int output() const { return output_; }  ///< of outputs that are dealt the first
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
  /// The same of each output of a line of outputs that are dealt.
  const std::vector<std::vector<Tap>>& extras_of_dealt() const { return extras_of_dealt_; }
  /// What stands in a row for the tap of an output that has none any more.
  Tap pad(int row) const { return {static_cast<std::uint16_t>(row), index(row, sweep_.deal->ones), Tap::kPad}; }
  /// Whether all taps exist, in lines of outputs that are dealt.
  bool is_whole_dealt() const { return sweep_.kept == nullptr && sweep_.own.empty() && sweep_.deal; }
  /// Whether all taps exist, in lines.
  bool is_whole() const { return sweep_.kept == nullptr && sweep_.own.empty() && !sweep_.deal; }

 private:
  bool step();
  void find_output();
  void find_extras();
  /// Those of the home row that a line has.
  int outputs_of_line() const;
  void of_output(int row, int output, const std::vector<Tap>& extras, std::vector<Tap>& taps) const;
  void dealt_of_row(int row, std::vector<Tap>& taps) const;
  void extras_of(int slot, int output, std::vector<Tap>& extras) const;
  bool exists(std::uint64_t source) const;
  int rows() const { return sweep_.outputs->rows(); }
  std::uint16_t index(int row, int local) const { return static_cast<std::uint16_t>(row << row_shift_ | local); }
  void own_of_row(int row, int slot, std::vector<Tap>& taps) const;

  const Sweep& sweep_;
  int row_shift_ = 16;
  int lines_ = 0;  // of an output
  int line_ = -1, home_ = -1, slot_ = 0, output_ = 0;
  std::vector<std::vector<std::vector<Tap>>> common_;  // [line][row]
  std::vector<std::uint64_t> out_stride_;              // [line]
  std::vector<Tap> extras_;
  std::vector<std::vector<Tap>> extras_of_dealt_;  // [output of the line]
  mutable std::vector<std::vector<Tap>> by_row_, by_output_;
};

}  // namespace weft
