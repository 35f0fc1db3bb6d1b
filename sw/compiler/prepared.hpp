/// The half of a compilation that does not depend on the mask: made once from a network, a mesh and a configuration,
/// then bound to any number of masks, like a prepared statement of a database.
#pragma once

#include <vector>

#include "sw/asm/assembler.hpp"
#include "sw/compiler/graph.hpp"
#include "sw/compiler/memory_plan.hpp"
#include "sw/compiler/plan.hpp"
#include "sw/machine/message.hpp"

namespace weft {

enum class Purpose : std::uint8_t { Training, Generation, Decode };

/// Immutable: plans in several threads may share it.
struct Prepared {
  /// For Purpose::Decode, `model` and `wafer` must be those of decode_model() and decode_wafer(). Throws Refusal.
  Prepared(const ModelShape& model, const WaferShape& wafer, Purpose purpose);
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;

  const Purpose purpose;
  const ModelShape model;
  const WaferShape wafer;  ///< with its sequence_columns
  const Graph graph;
  const Schedule schedule;
  const std::vector<TensorInfo> tensors;
  /// For features of equal load. A row needs the same number of slots with any mask, and the other members depend on
  /// nothing else of the placements.
  const Spaces spaces;
  const MemoryPlan memory;
  const Program program;
  const std::vector<ArraySymbol> arrays;
  const std::vector<Message> load;  ///< routes and program, which constants must follow
};

}  // namespace weft
