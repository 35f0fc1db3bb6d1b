/// A descriptor with an explicit list of elements.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sw/compiler/plan/plan.hpp"
#include "sw/compiler/stream/expand.hpp"

namespace weft::compiler {

/// One line: row r has the parameters rows[r], in this order.
inline StreamDescriptor listed_stream(const std::vector<std::vector<std::uint64_t>>& rows,
                                      StreamDescriptor::Values values) {
  const int count = static_cast<int>(rows.size());
  StreamDescriptor descriptor;
  descriptor.values = values;
  descriptor.outputs = std::make_shared<const Space>(Space::on_rows({0}, count));
  descriptor.lines.resize(1);
  for (int r = 0; r < count; ++r) {
    const auto one = std::make_shared<const Space>(Space::on_rows({r}, count));
    for (const std::uint64_t parameter : rows[static_cast<std::size_t>(r)])
      descriptor.lines[0].push_back({.space = one, .offset = parameter});
  }
  return descriptor;
}

/// Makes row r return the gradients of parameters rows[r].
inline void return_gradients(Op& op, const std::vector<std::vector<std::uint64_t>>& rows) {
  op.descriptor = listed_stream(rows, StreamDescriptor::Values::Indices);
  op.returns = Returns::Gradient;
  op.returned.clear();
  for (const auto& row : rows) op.returned.push_back(static_cast<std::uint32_t>(row.size()));
}

/// Expands the stream to entries that a test can change.
inline std::vector<StreamEntry>& listed_entries(Op& op) {
  op.commands = entries(op);
  op.descriptor = {};
  return op.commands;
}

}  // namespace weft::compiler
