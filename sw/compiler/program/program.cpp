#include "sw/compiler/program/program.hpp"

#include <bit>
#include <deque>
#include <set>
#include <string>

#include "sw/asm/assembler.hpp"
#include "sw/compiler/graph/graph.hpp"
#include "sw/compiler/memory/memory_plan.hpp"
#include "sw/compiler/program/program_sources.hpp"
#include "sw/network/operations.hpp"

namespace weft::compiler {

assembler::Program assemble_kernels(const KernelShape& shape, const Kernels& kernels) {
  const auto& [m, w, spaces, p] = shape;
  assembler::Constants c{
      {"LANES", w.lanes},           {"LANE_BITS", std::countr_zero(static_cast<unsigned>(w.lanes))},
      {"T", p.tokens_per_column},   {"VLT", p.tokens_per_column / w.lanes},
      {"SP", p.padded_seq},         {"SPW", p.padded_seq / w.lanes},
      {"CNT_HIDDEN", p.kCntHidden}, {"CNT_FILTER", p.kCntFilter},
      {"CNT_VOCAB", p.kCntVocab},   {"HEAD_COUNT", p.kHeadCount},
      {"HEAD_DIM", p.kHeadDim},     {"GROUP_FIRST", p.kGroupFirst},
      {"GROUP_LAST", p.kGroupLast}, {"ROW_INDEX", p.kRowIndex},
      {"ROW_COUNT", w.rows},        {"LOCAL_MASK", (1 << w.row_shift()) - 1},
  };
  c["HEAD_ROWS"] = rows_per_head(m.heads, m.hidden / m.heads, w.rows, m.head_unit());
  for (const network::OperationRules* rules : network::all_operations())
    if (const auto constants = lowering_of(rules->kind).constants) constants(c, shape);
  std::deque<std::string> texts;
  return assembler::assemble(sources_of(*graph_of(m), m, w, p, kernels, texts), c);
}

}  // namespace weft::compiler
