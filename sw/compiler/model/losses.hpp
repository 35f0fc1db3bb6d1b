/// The losses of a network, and their labels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sw/base/token_id.hpp"
#include "sw/compiler/model/model_shape.hpp"
#include "sw/network/network.hpp"

namespace weft::compiler {

/// The labels of a loss: token ids, classes, or numbers as the bits of an fp32.
enum class Labels : std::uint8_t { Tokens, Classes, Numbers };

/// The losses of a network, in the order of its operations: one, or one of classes and then one of tokens.
using Losses = std::vector<Labels>;

Losses losses_of(const network::LayerGraph& network);
/// Throws Refusal of model.network.
Losses losses_of(const ModelShape& model);

/// The label of loss `n` in a token's word, which with two losses is with_class(); kNoLabel: none.
inline TokenId label_of(const Losses& losses, TokenId word, std::size_t n) {
  if (losses.size() < 2) return word;
  return losses[n] == Labels::Tokens ? token_label(word) : class_label(word);
}

/// True if a token's word has labels of these losses that a model can have, or none.
bool are_labels(const Losses& losses, const ModelShape& model, TokenId word);

}  // namespace weft::compiler
