/// The half of a compile that no mask changes: what a network, a mesh and a configuration give once, for any number of
/// masks to be bound to, as a database prepares a statement.
#pragma once

#include <vector>

#include "sw/asm/assembler.hpp"
#include "sw/compiler/graph.hpp"
#include "sw/compiler/memory_plan.hpp"
#include "sw/compiler/plan.hpp"
#include "sw/machine/message.hpp"

namespace weft {

enum class Purpose : std::uint8_t { Training, Generation, Decode };

/// It does not change once it is made: plans in several threads may share it.
struct Prepared {
  /// `model` and `wafer` as the purpose has them: decode_model() and decode_wafer() of Decode. Throws Refusal.
  Prepared(const ModelShape& model, const WaferShape& wafer, Purpose purpose);
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;

  const Purpose purpose;
  const ModelShape model;
  const WaferShape wafer;  ///< with its sequence_columns
  const Graph graph;
  const Schedule schedule;
  const std::vector<TensorInfo> tensors;
  /// Of features that are all alike. Of any mask a row needs as many slots, and no more of them is known to the rest.
  const Spaces spaces;
  const MemoryPlan memory;
  const Program program;
  const std::vector<ArraySymbol> arrays;
  const std::vector<Message> load;  ///< routes and program; constants come behind them
};

}  // namespace weft
