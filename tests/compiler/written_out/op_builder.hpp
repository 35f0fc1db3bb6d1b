/// The former construction of ops, with every message written out: the reference for the expansion of descriptors.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sw/compiler/placement/space.hpp"
#include "sw/compiler/plan/plan.hpp"
#include "sw/compiler/program/call.hpp"
#include "sw/compiler/stream/group_size.hpp"

namespace weft::compiler::written_out {

/// [row][k]: parameter of the k-th word; stream: entry by entry.
struct WrittenOp {
  std::string name;
  std::vector<StreamEntry> stream;
  std::vector<int> tensors;
  Returns returns = Returns::Nothing;
  std::vector<std::vector<std::uint64_t>> gradient;
  std::vector<std::uint32_t> returned;
};

/// One non-zero of an output: row and local index of the input feature, and where its value comes from.
struct Element {
  int row;
  int local;
  std::uint64_t source;                                         ///< flat parameter, or kOne
  static constexpr std::uint64_t kOne = StreamEntry::kLiteral;  ///< the constant 1.0
};

class OpBuilder {
 public:
  /// `kept`: a bit for each parameter, or empty; elements of parameters that are not kept are left out.
  OpBuilder(const machine::WaferShape& wafer, const assembler::Program& program, std::string name,
            const std::vector<bool>& kept);

  OpBuilder& call(std::string_view kernel, const std::vector<Argument>& arguments);
  /// Calls a kernel before the stream that was already added.
  OpBuilder& call_before(std::string_view kernel, const std::vector<Argument>& arguments);
  OpBuilder& reads(int tensor);

  /// The elements of one output, then CR. Rows alternate, so that all of them stay busy.
  OpBuilder& output(const std::vector<Element>& elements);
  /// The indices of one output's gradient, then CR; each word returned is the gradient of its `source`, or its logit.
  OpBuilder& gradient(const std::vector<Element>& elements, Returns kind = Returns::Gradient);
  /// Number of indices that the gradients so far have in their fullest rows.
  const IndexCounts& indices() const { return indices_; }
  /// Row r's outlet will deliver words[r].
  OpBuilder& returns(Returns kind, std::vector<std::uint32_t> words);

  WrittenOp take();

 private:
  bool exists(const Element& element) const;
  /// Returns the elements of the fullest row.
  int interleave(const std::vector<Element>& elements, const std::function<void(const Element&)>& emit);
  const machine::WaferShape& wafer_;
  const assembler::Program& program_;
  const std::vector<bool>& kept_;
  WrittenOp op_;
  IndexCounts indices_;
};

}  // namespace weft::compiler::written_out
