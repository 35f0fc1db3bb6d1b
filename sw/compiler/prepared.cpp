#include "sw/compiler/prepared.hpp"

#include "sw/compiler/lower/lower.hpp"
#include "sw/compiler/memory/array_symbols.hpp"
#include "sw/compiler/program/load.hpp"
#include "sw/compiler/program/program.hpp"

namespace weft {
namespace {

std::vector<Message> routes_and_program(const WaferShape& wafer, const Program& program) {
  std::vector<Message> load = route_messages(wafer);
  const std::vector<Message> words = program_messages(program);
  load.insert(load.end(), words.begin(), words.end());
  return load;
}

}  // namespace

Prepared::Prepared(const ModelShape& m, const WaferShape& w, Purpose p)
    : Layout(m, w, p),
      program(assemble_kernels(m, wafer, memory, Lowering::kernels_of(*this))),
      arrays(array_symbols(memory)),
      load(routes_and_program(wafer, program)) {}

}  // namespace weft
