#include "sw/compiler/lower/op_builder.hpp"

#include <algorithm>
#include <utility>

namespace weft::compiler {

OpBuilder::OpBuilder(const machine::WaferShape& wafer, const assembler::Program* program, std::string name)
    : program_(program) {
  op_.name = std::move(name);
  op_.returned.assign(static_cast<std::size_t>(wafer.rows), 0);
}

OpBuilder& OpBuilder::call(std::string_view kernel, const std::vector<Argument>& arguments) {
  kernels_.emplace_back(kernel);
  if (program_ == nullptr) return *this;
  const std::size_t first = op_.commands.size();
  for (const machine::Message& m : call_messages(*program_, kernel, arguments))
    op_.commands.push_back({m.data, StreamEntry::kCtrl});
  const std::vector<assembler::Parameter>& parameters = program_->kernel(kernel)->parameters;
  for (std::size_t n = 0; n < parameters.size(); ++n) {
    const std::int64_t each = std::ranges::find(arguments, parameters[n].name, &Argument::name)->each;
    if (each != 0) op_.moves.push_back({first + n, each});
  }
  return *this;
}

OpBuilder& OpBuilder::reads(int tensor) {
  op_.tensors.push_back(tensor);
  return *this;
}

OpBuilder& OpBuilder::descriptor(StreamDescriptor descriptor, Returns kind) {
  op_.descriptor = std::move(descriptor);
  if (op_.descriptor.values == StreamDescriptor::Values::Indices) returns(kind, StreamCounts(op_.descriptor).elements);
  return *this;
}

OpBuilder& OpBuilder::descriptor(StreamDescriptor descriptor, const StreamCounts& counts) {
  op_.descriptor = std::move(descriptor);
  return returns(Returns::Gradient, counts.elements);
}

OpBuilder& OpBuilder::returns(Returns kind, std::vector<std::uint32_t> words) {
  op_.returns = kind;
  op_.returned = std::move(words);
  return *this;
}

Op OpBuilder::take() { return std::move(op_); }

}  // namespace weft::compiler
