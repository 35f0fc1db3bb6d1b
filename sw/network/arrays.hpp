/// Names of the arrays of values, gradients and norms, independent of their addresses.
#pragma once

#include <string>
#include <vector>

#include "sw/network/network.hpp"

namespace weft::network {

/// Array of a value: its own if it is kept, else that of its name.
std::string array_of(const LayerGraph& network, int value);
/// [value]: array of its gradient. If one gradient is computed from another in place, both share an array.
std::vector<std::string> gradient_arrays(const LayerGraph& network);
/// Arrays of a norm: "h.0.ln_1.xhat", "h.0.ln_1.rstd", or, if it keeps nothing, "ln_1.xhat", "ln_1.rstd".
std::string xhat_of(const NetworkOperation& norm);
std::string rstd_of(const NetworkOperation& norm);
/// True for a value of the residual stream: one that is made by the embedding, or by adding to such a value.
bool is_stream(const LayerGraph& network, int value);

}  // namespace weft::network
