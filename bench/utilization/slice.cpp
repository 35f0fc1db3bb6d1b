#include "bench/utilization/slice.hpp"

#include <cmath>
#include <vector>

#include "host/cli/modes/calibrate.hpp"
#include "host/planning/phases.hpp"
#include "sw/compiler/compile.hpp"

namespace weft::bench {
namespace {

constexpr int kGroups = 2;      // of rows
constexpr int kSequences = 2;   // in each column
constexpr int kSideBySide = 8;  // sequences over so many parts of the columns
constexpr double kRows = 425;   // of a group of XL
constexpr double kHidden = 2048, kFilter = 8192, kVocab = 50257, kLayers = 24;
constexpr double kTokens = 2048.0 / 86;  // of a sequence in a column, without padding

int in_proportion(double features, int rows) { return static_cast<int>(std::lround(features * rows / kRows)); }

}  // namespace

compiler::Plan xl_slice(int rows, int cols) {
  const int of_group = rows / kGroups, columns = cols / kSideBySide;
  const compiler::ModelShape model{.vocab = in_proportion(kVocab / kLayers, of_group),
                                   .hidden = in_proportion(kHidden, of_group),
                                   .layers = 1,
                                   .heads = 1,
                                   .filter = in_proportion(kFilter, of_group),
                                   .seq = static_cast<int>(std::lround(kTokens * columns)),
                                   .micro_batch = kSequences * kSideBySide,
                                   .recompute = "block",
                                   .attention = "shared"};
  return compiler::compile(model, {.rows = of_group,
                                   .cols = cols,
                                   .sram_kib = 48,
                                   .valves = of_group,
                                   .sequence_columns = columns,
                                   .row_groups = kGroups});
}

SliceCycles slice_cycles(const compiler::Plan& plan) {
  const std::vector<float> parameters(plan.parameters, 0.01F);  // cycles do not depend on values
  SliceCycles cycles{.rtl = static_cast<double>(cli::rtl_micro_batch_cycles(plan, parameters))};
  for (const planning::Phase& phase : planning::estimate_phases(plan))
    cycles.estimated += static_cast<double>(phase.cycles);
  return cycles;
}

}  // namespace weft::bench
