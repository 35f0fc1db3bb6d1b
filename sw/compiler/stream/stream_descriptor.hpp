/// Weight-stream descriptor: the part of a call's stream that grows with the model, weights or indices, output by
/// output.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "sw/compiler/model/head_copies.hpp"
#include "sw/compiler/placement/space.hpp"
#include "sw/compiler/stream/sum_order.hpp"

namespace weft::compiler {

/// Outputs are in the order of home rows, within a row in the order of slots. Each output has lines; a line has
/// elements, then a CR. An element exists for an input feature that exists: a weight, or its index alone. Within a line
/// the rows take turns, so that all stay busy: the first element of each row, then the second of each. A row's elements
/// are in the order of the inputs and of their features; bias and residual follow in their lines. Outputs may be
/// interleaved (`interleave`): then several outputs of a home row share a line, in which they take turns in each row.
struct StreamDescriptor {
  /// An array that is multiplied, with its matrix: element i of output o is parameter offset + i*in_stride +
  /// o*out_stride, and lies at local + slot of i - from. Only features of slots `from` to below `to` are elements.
  /// Features that are copies take the parameters of copies.parameter(i), outputs those of outputs_copies.
  struct Input {
    std::shared_ptr<const Space> space;
    int local = 0;
    std::uint64_t offset = 0;
    std::uint64_t in_stride = 0, out_stride = 0;
    int from = 0, to = std::numeric_limits<int>::max();
    HeadCopies copies = {};
    bool has(int feature) const { return space->slot(feature) >= from && space->slot(feature) < to; }
    int local_of(int feature) const { return local + space->slot(feature) - from; }
    /// The parameter of an element of output 0.
    std::uint64_t parameter(int feature) const {
      return offset + copies.parameter(static_cast<std::uint64_t>(feature)) * in_stride;
    }
  };
  /// One element more for each output o: parameter offset + o, of the always-one feature at `local`. It is on row
  /// (home + slot) mod rows, or with `before_home` on the row before the home row.
  struct Bias {
    std::uint64_t offset = 0;
    int local = 0;
    bool before_home = false;  ///< required if there is a residual
    int line = 0;
  };
  /// One element more for each output: 1.0 times the output's own old value, on its home row, where slot 0 is at
  /// `local`.
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

  /// Interleaving: `each` outputs of a home row share their lines (fewer outputs in the row's last lines). A row's
  /// elements of a line are in rounds: the first element of each output, then the second of each, and so on. A pad, -0
  /// times the always-one feature at `ones` of the line, replaces a missing element, be it of an output with fewer
  /// elements or of an output that the home row's last line lacks. No pads follow the last element, except in the first
  /// round (docs/explanation/psum.md). Slots of `own` are interleaved in the same way, but a round of their last line
  /// has only as many elements as the line has slots.
  ///
  /// `numbered`: the low SumOrder::kBits bits of each index are the number of the element's output in its line, below
  /// the local index, and elements are in the order of SumOrder, `apart` from the next one of their output where
  /// possible, with pads only in the first round of an output's first line (docs/explanation/short_vectors.md).
  struct Interleave {
    int each = 1;
    std::vector<int> ones;  ///< [line]
    bool numbered = false;
    int apart = 1;
  };

  enum class Values : std::uint8_t { Weights, Indices };

  Values values = Values::Weights;
  std::shared_ptr<const Space> outputs;   ///< null: there is no descriptor
  HeadCopies outputs_copies = {};         ///< of the outputs, in all lines and the bias
  std::vector<std::vector<Input>> lines;  ///< lines of each output
  std::optional<Bias> bias;
  std::optional<Residual> residual;
  std::optional<Interleave> interleave;
  std::vector<Own> own;  ///< if any: an output is a slot of `outputs`, and its lines have these elements
  /// With `own`: slots that share a line (fewer in the last line), one slot's elements after another's.
  int together = 1;
  std::shared_ptr<const std::vector<bool>> kept;  ///< a bit for each parameter; null: all exist

  bool empty() const { return outputs == nullptr; }
  /// Number of lines of an output.
  int lines_of_output() const {
    int count = static_cast<int>(lines.size());
    for (const Own& one : own) count = std::max(count, one.line + 1);
    return count;
  }
};

/// Description of one message of a descriptor: its destination's row and index, and its parameter.
struct Element {
  static constexpr std::uint64_t kOne = ~std::uint64_t{1};  ///< no parameter, the constant 1.0
  static constexpr std::uint64_t kPad = ~std::uint64_t{2};  ///< no parameter, the constant -0
  std::uint16_t row = 0;
  std::uint16_t index = 0;  ///< row and local index, as in a message
  std::uint64_t source = 0;
};

/// Reads a descriptor line by line.
class StreamReader {
 public:
  /// `descriptor` must outlive this.
  explicit StreamReader(const StreamDescriptor& descriptor);

  /// Advances to the next line, at first to the first; false after the last.
  bool next();
  struct Place {
    int line = -1, home = -1, slot = 0;
  };
  Place place() const { return {line_, home_, slot_}; }
  void go(const Place& place);
  int line() const { return line_; }      ///< line of the output
  int output() const { return output_; }  ///< the first of interleaved outputs
  int home() const { return home_; }

  /// The line's elements of one row that exist, in their order.
  void of_row(int row, std::vector<Element>& elements) const;
  /// The number of elements of of_row(); `some` is scratch.
  std::size_t count_of_row(int row, std::vector<Element>& some) const;
  /// The line's elements that exist, of all rows, in the order in which they are sent.
  void all_rows(std::vector<Element>& elements) const;
  /// Elements of each row for output 0 of a line, if all exist. Output o has the same, with parameters further(line, o)
  /// on, and a bias and residual of its own.
  const std::vector<std::vector<Element>>& common(std::size_t line) const { return common_[line]; }
  std::uint64_t further(std::size_t line, int output) const {
    return descriptor_.outputs_copies.parameter(static_cast<std::uint64_t>(output)) * out_stride_[line];
  }
  std::uint64_t out_stride(std::size_t line) const { return out_stride_[line]; }
  /// Bias and residual of this line, as far as they exist, in the order they are sent if all elements exist.
  const std::vector<Element>& extras() const { return extras_; }
  /// As extras(), for each output of a line of interleaved outputs.
  const std::vector<std::vector<Element>>& interleaved_extras() const { return interleaved_extras_; }
  /// Numbers of the outputs, in the line's order, that a row's elements belong to, if outputs are numbered and all
  /// elements exist. Valid until the next call.
  const std::vector<std::uint8_t>& whole_order(int row) const;
  /// True if outputs are interleaved, and indices have their numbers.
  bool is_numbered() const { return descriptor_.interleave && descriptor_.interleave->numbered; }
  /// The pad that replaces a missing element in a row.
  Element pad(int row) const {
    return {static_cast<std::uint16_t>(row), index(row, descriptor_.interleave->ones[static_cast<std::size_t>(line_)]),
            Element::kPad};
  }
  /// True if all elements exist, and outputs are interleaved.
  bool is_whole_interleaved() const {
    return descriptor_.kept == nullptr && descriptor_.own.empty() && descriptor_.interleave;
  }
  /// True if all elements exist, and outputs are not interleaved.
  bool is_whole() const { return descriptor_.kept == nullptr && descriptor_.own.empty() && !descriptor_.interleave; }

 private:
  bool step();
  void find_output();
  void find_extras();
  /// The number of outputs (of the home row) or slots that share the line.
  int outputs_of_line() const;
  void of_output(int row, int output, const std::vector<Element>& extras, std::vector<Element>& elements) const;
  void interleaved_of_row(int row, std::vector<Element>& elements) const;
  /// Puts the elements of by_output_ in the order of SumOrder, with numbers.
  void numbered_of_row(int row, std::vector<Element>& elements) const;
  /// The first round of the line.
  SumOrder::Begin begin() const {
    if (lines_ == 1) return SumOrder::Begin::WithWeights;
    return line_ == 0 ? SumOrder::Begin::Always : SumOrder::Begin::Never;
  }
  /// SumOrder::of() counts_.
  const std::vector<std::uint8_t>& order() const;
  /// Fills counts_ with the elements of each output of the line in a row, if all exist.
  void count_whole(int row) const;
  void extras_of(int slot, int output, std::vector<Element>& extras) const;
  bool exists(std::uint64_t source) const;
  int rows() const { return descriptor_.outputs->rows(); }
  std::uint16_t index(int row, int local) const {
    return static_cast<std::uint16_t>(row << row_shift_ | local << (is_numbered() ? SumOrder::kBits : 0));
  }
  void own_of_row(int row, int slot, std::vector<Element>& elements) const;

  const StreamDescriptor& descriptor_;
  int row_shift_ = 16;
  int lines_ = 0;  // lines of an output
  int line_ = -1, home_ = -1, slot_ = 0, output_ = 0;
  std::vector<std::vector<std::vector<Element>>> common_;  // [line][row]
  std::vector<std::uint64_t> out_stride_;                  // [line]
  std::vector<Element> extras_;
  std::vector<std::vector<Element>> interleaved_extras_;  // [output of the line]
  mutable std::vector<std::vector<Element>> by_row_, by_output_;
  mutable std::vector<std::size_t> counts_;  // [output of the line]
  mutable SumOrder order_;
};

}  // namespace weft::compiler
