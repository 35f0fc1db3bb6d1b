/// Any network in plain double precision, forward and backward, as its file describes it: the reference for compiled
/// networks.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sw/compiler/plan/plan.hpp"

namespace weft::reference {

struct NetworkResult {
  double loss_sum = 0;       ///< of all losses, in nats, summed over all tokens that have a label
  std::vector<double> grad;  ///< d loss_sum / d parameter, laid out like the parameters
};

/// `params`: laid out by model_tensors(model), rounded to bf16 as for streaming. `inputs`, `labels`: [sequences][seq],
/// as Plan::tokens() takes them. `roundings`: if not 0, values and their gradients are rounded to bf16 as well, up or
/// down by random numbers of this seed. The difference shows how much roundings alone change. `samples`: by which
/// features are dropped, with a plan's masks.
NetworkResult reference_network(const compiler::ModelShape& model, std::span<const float> params,
                                std::span<const TokenId> inputs, std::span<const TokenId> labels,
                                unsigned roundings = 0, compiler::DropoutSamples samples = {.step = 5, .first = 8});

}  // namespace weft::reference
