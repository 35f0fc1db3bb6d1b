/// The compiler's part of a kind of operation of networks: how its steps become ops, and what its kernels need.
///
/// sw/compiler/operations/NAME.cpp defines NAME_lowering(); the build makes lowering_of() of the files.
#pragma once

#include <cstdint>

#include "sw/asm/program.hpp"
#include "sw/compiler/model/model_shape.hpp"
#include "sw/machine/shape.hpp"
#include "sw/network/network.hpp"
#include "sw/network/step.hpp"

namespace weft::compiler {

class LoweringTools;
struct MemoryPlan;
struct Spaces;

/// The shape for which kernels are assembled.
struct KernelShape {
  const ModelShape& model;
  const machine::WaferShape& wafer;
  const Spaces& spaces;
  const MemoryPlan& memory;
};

struct OperationLowering {
  /// Appends the ops of a step.
  void (*lower)(const LoweringTools& tools, const network::Step& step);
  /// Adds the constants of the shape that only this kind's kernels use.
  void (*constants)(assembler::Constants& constants, const KernelShape& shape) = nullptr;
  /// Slots of the array network::OperationRules::scratch, if there is one. `tokens`: in a column.
  int (*scratch_slots)(const machine::WaferShape& wafer, const Spaces& spaces, std::int64_t tokens) = nullptr;
};

const OperationLowering& lowering_of(network::OperationKind kind);

}  // namespace weft::compiler
