/// Incremental decoding: continues texts by one token each, with keys and values kept on the wafer
/// (docs/explanation/generation.md).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sw/compiler/plan/plan.hpp"

namespace weft::compiler {

// Parts of a pass of a compile_decode plan. Passes are for position 0 of the texts, then for 1, .. model.seq - 1.

/// Messages that put a token of each text into the PEs: tokens[n] of text n, for 1..model.micro_batch texts, which must
/// be the same at every position.
std::vector<machine::Message> decode_messages(const Plan& plan, std::span<const TokenId> tokens, int position);

/// Messages after which the op that returns logits returns those of text n, and no longer those of text `before`; -1:
/// no text.
std::vector<machine::Message> decode_ask(const Plan& plan, int n, int before);

/// The plan's op number `op` at a position; the first op has only the rows of these tokens (embedding_of).
Op decode_op(const Plan& plan, std::size_t op, std::span<const TokenId> tokens, int position);

/// The number of first ops that fill keys and values; the other ops compute logits only.
std::size_t decode_filling(const Plan& plan);

}  // namespace weft::compiler
