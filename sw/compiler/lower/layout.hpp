/// A model laid out on a wafer: everything that lowering reads, and that depends neither on the mask nor on a program.
#pragma once

#include <cstdint>
#include <vector>

#include "sw/compiler/graph/graph.hpp"
#include "sw/compiler/memory/memory_plan.hpp"
#include "sw/compiler/model/model_shape.hpp"
#include "sw/compiler/model/tensors.hpp"
#include "sw/compiler/placement/spaces.hpp"
#include "sw/machine/shape.hpp"
#include "sw/network/schedule.hpp"

namespace weft::compiler {

enum class Purpose : std::uint8_t { Training, Generation, Decode, Logits };

struct Layout {
  /// For Purpose::Decode, `model` and `wafer` must be those of decode_model() and decode_wafer(). Throws Refusal.
  Layout(const ModelShape& model, const machine::WaferShape& wafer, Purpose purpose);

  const Purpose purpose;
  const ModelShape model;
  const machine::WaferShape wafer;  ///< with its sequence_columns
  const Graph graph;
  const network::Schedule schedule;
  const std::vector<TensorInfo> tensors;
  /// For features of equal load. A row needs the same number of slots with any mask, and the other members depend on
  /// nothing else of the placements.
  const Spaces spaces;
  const MemoryPlan memory;
};

}  // namespace weft::compiler
