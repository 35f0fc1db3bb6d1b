/// The messages that turn a wafer after reset into one that can run the plan's ops.
#pragma once

#include <vector>

#include "sw/asm/program.hpp"
#include "sw/compiler/memory/memory_plan.hpp"
#include "sw/compiler/model/model_shape.hpp"
#include "sw/compiler/placement/spaces.hpp"
#include "sw/machine/message.hpp"
#include "sw/machine/shape.hpp"

namespace weft::compiler {

/// W's routes on wafers where W turns around (docs/reference/message.md); nothing on narrower wafers.
std::vector<machine::Message> turn_messages(const machine::WaferShape& wafer);

/// Routes of the neighbour chains RING, NORTH, WEST and EAST, and of W where it turns around
/// (docs/reference/message.md).
std::vector<machine::Message> route_messages(const machine::WaferShape& wafer);

/// Writes the program to instruction memory from address 0.
std::vector<machine::Message> program_messages(const assembler::Program& program);

/// Clears memory and writes the constants of every row.
std::vector<machine::Message> constant_messages(const ModelShape& model, const machine::WaferShape& wafer,
                                                const Spaces& spaces, const MemoryPlan& memory,
                                                const assembler::Program& program);

}  // namespace weft::compiler
