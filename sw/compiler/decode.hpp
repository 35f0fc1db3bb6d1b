/// Going on with texts by one token each, keys and values staying on the wafer (docs/generation.md).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sw/compiler/graph.hpp"
#include "sw/compiler/plan.hpp"

namespace weft {

/// What compile_decode makes of a model and a wafer: as many texts as there are lanes, each in one column, all of
/// forward's k and v there.
ModelShape decode_model(const ModelShape& model, const WaferShape& wafer);
WaferShape decode_wafer(const WaferShape& wafer);

/// A model's graph in which each attention has arrays of its own for k and v. Throws Refusal of model.network if others
/// use them, too, or if a linear or a rotation did not make them.
Graph decode_graph(const ModelShape& model);

// What a pass of a plan of compile_decode has, for position 0 of its texts, then 1, .. model.seq - 1.

/// Messages that put a token of each text into the PEs, tokens[n] of text n: 1..model.micro_batch of them, the same
/// texts at every position.
std::vector<Message> decode_messages(const Plan& plan, std::span<const TokenId> tokens, int position);

/// Then the op that returns logits gives those of text n, and no more those of `before`; -1: of none.
std::vector<Message> decode_ask(const Plan& plan, int n, int before);

/// The plan's op number `op` at a position; the first one has but these tokens' rows (embedding_of).
Op decode_op(const Plan& plan, std::size_t op, std::span<const TokenId> tokens, int position);

/// The first so many ops fill keys and values. The others are of logits alone.
std::size_t decode_filling(const Plan& plan);

}  // namespace weft
