/// A model of one layer that represents all layers of a configuration, for choices that compare many plans.
#pragma once

#include <cstdint>

#include "host/config/config.hpp"
#include "host/planning/estimate/sample.hpp"
#include "sw/compiler/plan/plan.hpp"

namespace weft::planning {

/// The configuration with a model of one layer.
config::Config with_one_layer(config::Config config);

/// `wafer`, whose tiles have the memory that the other layers of `model` leave to one of them: what those keep for
/// backward takes no place in a model of one layer. In whole KiB, rounded down if the layer then fits, else up.
machine::WaferShape wafer_of_one_layer(const compiler::ModelShape& model, machine::WaferShape wafer);

/// Random mask with the configured sparsity for a model of one layer, the first of `config`'s. (For `gmp`, with the
/// final sparsity; a checkpoint's masks are not known yet.)
compiler::Mask some_mask(const config::Config& config, const compiler::ModelShape& one_layer);

/// Estimated cycles of a micro-batch, and beats of the busiest row's vector unit: all of them, and those of attention.
struct MicroBatchCost {
  std::uint64_t cycles = 0, beats = 0, attention_beats = 0;
};

/// Cost of a micro-batch of a model of `layers` layers, of which `plan` has one.
MicroBatchCost cost_of_layers(const compiler::Plan& plan, int layers, const Sample& sample = {});

}  // namespace weft::planning
