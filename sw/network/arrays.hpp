/// Which array each value, gradient and norm has: a name, whatever its address.
#pragma once

#include <string>
#include <vector>

#include "sw/network/network.hpp"

namespace weft {

/// Array of a value: its own if it is kept, else that of its name.
std::string array_of(const LayerGraph& network, int value);
/// [value]: array of its gradient. Where one gradient is made of the other in place, they share it.
std::vector<std::string> gradient_arrays(const LayerGraph& network);
/// Of a norm: "h.0.ln_1.xhat", "h.0.ln_1.rstd", or, if it keeps nothing, "ln_1.xhat", "ln_1.rstd".
std::string xhat_of(const NetworkOperation& norm);
std::string rstd_of(const NetworkOperation& norm);
/// Made by the embedding, or by adding to one that is: it runs through the model.
bool is_stream(const LayerGraph& network, int value);

}  // namespace weft
