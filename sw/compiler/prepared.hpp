/// The half of a compilation that does not depend on the mask: made once from a network, a mesh and a configuration,
/// then bound to any number of masks, like a prepared statement of a database.
#pragma once

#include <vector>

#include "sw/asm/program.hpp"
#include "sw/compiler/lower/layout.hpp"
#include "sw/compiler/plan/symbols.hpp"
#include "sw/machine/message.hpp"

namespace weft::compiler {

/// Immutable: plans in several threads may share it.
struct Prepared : Layout {
  /// As Layout's constructor. Throws Refusal also if the program does not fit the wafer.
  Prepared(const ModelShape& model, const machine::WaferShape& wafer, Purpose purpose);
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;

  const assembler::Program program;
  const std::vector<ArraySymbol> arrays;
  const std::vector<machine::Message> load;  ///< routes and program, which constants must follow
};

}  // namespace weft::compiler
