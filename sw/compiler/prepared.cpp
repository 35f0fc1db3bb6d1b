#include "sw/compiler/prepared.hpp"

#include "sw/compiler/lower/lower.hpp"
#include "sw/compiler/memory/array_symbols.hpp"
#include "sw/compiler/program/load.hpp"
#include "sw/compiler/program/program.hpp"

namespace weft::compiler {
namespace {

std::vector<machine::Message> routes_and_program(const machine::WaferShape& wafer, const assembler::Program& program) {
  std::vector<machine::Message> load = route_messages(wafer);
  const std::vector<machine::Message> words = program_messages(program);
  load.insert(load.end(), words.begin(), words.end());
  return load;
}

}  // namespace

Prepared::Prepared(const ModelShape& m, const machine::WaferShape& w, Purpose p)
    : Layout(m, w, p),
      program(assemble_kernels({m, wafer, spaces, memory}, Lowering::kernels_of(*this))),
      arrays(array_symbols(memory)),
      load(routes_and_program(wafer, program)) {}

}  // namespace weft::compiler
