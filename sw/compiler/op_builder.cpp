#include "sw/compiler/op_builder.hpp"

#include <utility>

#include "sw/compiler/sweep_counts.hpp"

namespace weft {

OpBuilder::OpBuilder(const WaferShape& wafer, const Program& program, std::string name) : program_(program) {
  op_.name = std::move(name);
  op_.returned.assign(static_cast<std::size_t>(wafer.rows), 0);
}

OpBuilder& OpBuilder::call(std::string_view kernel, const std::vector<Argument>& arguments) {
  for (const Message& m : call_messages(program_, kernel, arguments))
    op_.commands.push_back({m.data, StreamEntry::kCtrl});
  return *this;
}

OpBuilder& OpBuilder::reads(int tensor) {
  op_.tensors.push_back(tensor);
  return *this;
}

OpBuilder& OpBuilder::sweep(Sweep sweep, Returns kind) {
  op_.sweep = std::move(sweep);
  if (op_.sweep.values == Sweep::Values::Indices) returns(kind, SweepCounts(op_.sweep).taps);
  return *this;
}

OpBuilder& OpBuilder::returns(Returns kind, std::vector<std::uint32_t> words) {
  op_.returns = kind;
  op_.returned = std::move(words);
  return *this;
}

Op OpBuilder::take() { return std::move(op_); }

}  // namespace weft
