/// Keys of the Cerebras Model Zoo that are not built: what to do instead.
#pragma once

#include <string>
#include <string_view>

namespace weft {

/// Of a key's own name, without its section, or of a key of a phase of optimizer.learning_rate; empty: it is none of
/// them.
std::string hint_for_lacking(std::string_view name, bool of_phase);

}  // namespace weft
