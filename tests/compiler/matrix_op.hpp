/// An op that streams a matrix, for tests of streams.
#pragma once

#include <memory>

#include "sw/compiler/placement/loads.hpp"
#include "sw/compiler/stream/op.hpp"
#include "sw/compiler/stream/stream_counts.hpp"

namespace weft::compiler {

inline std::shared_ptr<const Space> interleaved_space(int features, int rows) {
  return std::make_shared<const Space>(Space::interleaved(heaviest_first(features, {}), rows));
}

/// An inputs x outputs matrix, [in, out], followed by a bias.
inline Op matrix(int inputs, int outputs, int rows, StreamDescriptor::Values values) {
  Op op;
  op.descriptor.values = values;
  op.descriptor.outputs = interleaved_space(outputs, rows);
  op.descriptor.lines = {
      {{.space = interleaved_space(inputs, rows), .in_stride = static_cast<std::uint64_t>(outputs), .out_stride = 1}}};
  op.descriptor.bias = {.offset = static_cast<std::uint64_t>(inputs) * static_cast<std::uint64_t>(outputs),
                        .local = 99};
  op.returns = Returns::Gradient;
  op.returned = StreamCounts(op.descriptor).elements;
  return op;
}

}  // namespace weft::compiler
