#include "verif/trace/trace_enums.hpp"

#include <iterator>
#include <string>
#include <vector>

#include "isa_machine.hpp"
#include "verif/trace/words.hpp"

namespace weft::trace {
namespace {

std::vector<std::string> names_of(const assembler::Program* program) {
  std::vector<std::string> names;
  if (program == nullptr) return names;
  const InstructionNames instruction(*program);
  for (unsigned pc = 0; pc < program->words.size(); ++pc) names.push_back(instruction.at(pc));
  names.emplace_back("-");
  return names;
}

}  // namespace

TraceEnums::TraceEnums(FstFile& file, const assembler::Program* program) {
  const std::vector<std::string> names = names_of(program);
  if (!names.empty()) {
    instructions = true;
    nowhere = names.size() - 1;
    while ((std::size_t{1} << pc_bits) < names.size()) ++pc_bits;
    pcs = file.enumeration("instruction", names, pc_bits);
  }
  // state_e of rtl/pe/weft_pe_scalar_pkg.sv; main_state_e and psum_state_e of rtl/pe/weft_pe_seq_pkg.sv
  states = file.enumeration("thread_state",
                            {"-", "fetch", "decode", "halt", "scalar", "ld_address", "write", "?", "waits_for_unit",
                             "ld_waits_for_unit", "ld_waits", "rcv_waits", "fork_waits", "join_waits"},
                            4);
  main_units = file.enumeration("main_unit",
                                {"-", "vaxs_waits", "vdot_waits", "?", "?", "?", "?", "?", "vf", "?", "ld", "vaxs",
                                 "vcr_copies", "vcr_resets", "?", "vdot"},
                                4);
  psum_units = file.enumeration("psum_unit", {"-", "vs", "vb", "vr_waits", "vr", "gather", "snd", "ld"}, 4);
  stalls = file.enumeration("stall", {std::begin(isa::kStallNames), std::end(isa::kStallNames)}, 4);
  issuers = file.enumeration("issuer", {"-", "main", "psum"}, 2);
}

}  // namespace weft::trace
