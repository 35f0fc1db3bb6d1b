/// Chooses how many texts `generate` processes per pass, and over how many columns each is spread.
#pragma once

#include "sw/compiler/plan/plan.hpp"

namespace weft::planning {

struct GenerationBatch {
  compiler::ModelShape model;  ///< micro_batch: texts per pass
  machine::WaferShape wafer;
};

/// Minimizes the beats for all `prompts`: each pass has as many texts as fit, and multiplies each weight with all beats
/// of a column. In case of a tie, prefers fewer columns, which makes attention faster, then the memory use that `model`
/// specifies over the minimum (model.recompute, docs/reference/network.md), since a pass of `generate` has no backward.
/// The choice does not affect the bits. If nothing fits, returns one text with a shape for which compile() reports the
/// error.
GenerationBatch choose_generation_batch(const compiler::ModelShape& model, const machine::WaferShape& wafer,
                                        int prompts);

}  // namespace weft::planning
