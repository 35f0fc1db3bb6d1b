/// Builds one op: the kernels it calls, the descriptor of the last one, and the words it returns.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sw/asm/program.hpp"
#include "sw/compiler/program/call.hpp"
#include "sw/compiler/stream/op.hpp"
#include "sw/compiler/stream/stream_counts.hpp"
#include "sw/machine/shape.hpp"

namespace weft::compiler {

class OpBuilder {
 public:
  /// `program`: null as long as there is none. Then a call only records its kernel's name and adds no commands.
  OpBuilder(const machine::WaferShape& wafer, const assembler::Program* program, std::string name);

  OpBuilder& call(std::string_view kernel, const std::vector<Argument>& arguments);
  /// Records that the op sends parameters of this tensor.
  OpBuilder& reads(int tensor);
  /// Sets the descriptor, after all calls. A descriptor of indices returns one word for each.
  OpBuilder& descriptor(StreamDescriptor descriptor, Returns kind = Returns::Gradient);
  /// As above, for a gradient whose indices have been counted.
  OpBuilder& descriptor(StreamDescriptor descriptor, const StreamCounts& counts);
  /// Row r's outlet will deliver words[r].
  OpBuilder& returns(Returns kind, std::vector<std::uint32_t> words);

  Op take();
  /// The kernels of all calls.
  const std::vector<std::string>& kernels() const { return kernels_; }

 private:
  const assembler::Program* program_;
  std::vector<std::string> kernels_;
  Op op_;
};

}  // namespace weft::compiler
