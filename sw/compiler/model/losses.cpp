#include "sw/compiler/model/losses.hpp"

#include <bit>
#include <cmath>

#include "sw/compiler/model/tensors.hpp"

namespace weft::compiler {

Losses losses_of(const network::LayerGraph& network) {
  using Kind = network::NetworkOperation::Kind;
  Losses losses;
  for (const network::NetworkOperation& op : network.operations) {
    if (op.kind == Kind::Loss) losses.push_back(Labels::Tokens);
    if (op.kind == Kind::ClassLoss) losses.push_back(Labels::Classes);
    if (op.kind == Kind::SquaredError) losses.push_back(Labels::Numbers);
  }
  return losses;
}

Losses losses_of(const ModelShape& model) {
  if (model.classes == 0) return {Labels::Tokens};  // without reading the network: any other loss needs classes
  return losses_of(network::find_network(model.network, sizes_of(model)));
}

bool are_labels(const Losses& losses, const ModelShape& model, TokenId word) {
  for (std::size_t n = 0; n < losses.size(); ++n) {
    const TokenId label = label_of(losses, word, n);
    if (label == kNoLabel) continue;
    if (losses[n] == Labels::Numbers && !std::isfinite(std::bit_cast<float>(label))) return false;
    if (losses[n] == Labels::Tokens && label >= static_cast<TokenId>(model.vocab)) return false;
    if (losses[n] == Labels::Classes && label >= static_cast<TokenId>(model.classes)) return false;
  }
  return true;
}

}  // namespace weft::compiler
