/// The embedding of some texts, for which few rows of its tables are needed.
#pragma once

#include <cstdint>
#include <span>

#include "sw/compiler/plan.hpp"

namespace weft {

/// The first op of `plan`, of compile_generation, for `texts` as Plan::texts() puts them: of the tables it streams only
/// the rows of tokens and positions that these have. Each of their values has the bits that the whole op gives it,
/// weights being finite: what is left out is 0 times a weight. What is padding becomes 0.
Op embedding_of(const Plan& plan, std::span<const std::span<const TokenId>> texts);

/// The same of these tokens and positions, each list rising; of a plan of compile_decode, too.
Op embedding_of(const Plan& plan, std::span<const int> tokens, std::span<const int> positions);

}  // namespace weft
