/// Names of the arrays of values, gradients and norms, independent of their addresses.
#pragma once

#include <string>
#include <vector>

#include "sw/network/network.hpp"

namespace weft::network {

/// The value in whose array, without an addition, dropouts have made a value; the value itself if none has.
int source_of(const LayerGraph& network, int value);
/// Array of a value: its own if it is kept, else that of its name.
std::string array_of(const LayerGraph& network, int value);
/// [value]: array of its gradient. If one gradient is computed from another in place, both share an array.
std::vector<std::string> gradient_arrays(const LayerGraph& network);
/// Arrays of a norm: "h.0.ln_1.xhat", "h.0.ln_1.rstd", or, if it keeps nothing, "ln_1.xhat", "ln_1.rstd".
std::string xhat_of(const NetworkOperation& norm);
std::string rstd_of(const NetworkOperation& norm);
/// True for a value of the residual stream: one that is made by the embedding or by adding to such a value, or a norm's
/// output to which a linear adds.
bool is_stream(const LayerGraph& network, int value);
/// True for a value to which a linear adds.
bool is_added(const LayerGraph& network, int value);
/// True for a norm, the only reader of its input, whose input's gradient takes the place of its output's: the output
/// continues the residual stream, or the input does not belong to it. Any other norm adds to the stream's gradient.
bool replaces_gradient(const LayerGraph& network, const NetworkOperation& norm);

}  // namespace weft::network
