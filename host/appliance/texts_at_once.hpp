/// How many texts `generate` sends through the model at once, and over how many columns each lies.
#pragma once

#include "sw/compiler/plan.hpp"

namespace weft {

struct TextsAtOnce {
  ModelShape model;  ///< micro_batch: texts of a pass
  WaferShape wafer;
};

/// With the fewest beats for all `prompts` together: passes of as many texts as fit, in which each weight is multiplied
/// with all beats of a column. Of equal ones that with the fewest columns, whose attention is quicker; then the one
/// that has as much in memory as `model` says, else as little as it can (model.recompute, docs/network.md): a pass of
/// `generate` has no backward. The bits are the same. If nothing fits: one text, on what compile() says of it.
TextsAtOnce texts_at_once(const ModelShape& model, const WaferShape& wafer, int prompts);

}  // namespace weft
