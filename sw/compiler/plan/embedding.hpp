/// The embedding of some texts, which needs few rows of its tables.
#pragma once

#include <cstdint>
#include <span>

#include "sw/compiler/plan/plan.hpp"

namespace weft::compiler {

/// The first op of `plan` (of compile_generation) for `texts` as Plan::texts() places them. The op streams only those
/// rows of its tables whose tokens and positions occur in the texts. The values are bit-identical to those of the whole
/// op if weights are finite: every omitted term is 0 times a weight. Padding becomes 0.
Op embedding_of(const Plan& plan, std::span<const std::span<const TokenId>> texts);

/// As above, for these tokens and positions, each list ascending; also for a plan of compile_decode.
Op embedding_of(const Plan& plan, std::span<const int> tokens, std::span<const int> positions);

}  // namespace weft::compiler
