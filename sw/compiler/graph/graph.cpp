#include "sw/compiler/graph/graph.hpp"

#include <algorithm>
#include <cstddef>

#include "sw/compiler/model/tensors.hpp"
#include "sw/network/former_phase_names.hpp"

namespace weft::compiler {
namespace {

/// Returns true if the embedding adds a row of a table of this role.
bool embeds(const network::LayerGraph& network, network::Role role) {
  return std::ranges::any_of(network.operations.front().tensors, [&](int tensor) {
    return network.tensors[static_cast<std::size_t>(tensor)].shape[0].role == role;
  });
}

}  // namespace

Graph::Graph(const ModelShape& model)
    : network(network::find_network(model.network, sizes_of(model))),
      training(network::training_schedule(network)),
      gradients(network::gradient_arrays(network)) {}

bool Graph::has(network::NetworkOperation::Kind kind) const {
  return std::ranges::count(network.operations, kind, &network::NetworkOperation::kind) > 0;
}

bool Graph::drops(network::Role role) const {
  return std::ranges::any_of(network.operations, [&](const network::NetworkOperation& op) {
    return op.kind == network::OperationKind::Dropout && network.value(op.in[0]).role == role;
  });
}

bool Graph::drops_weights() const {
  return std::ranges::any_of(network.operations, [](const network::NetworkOperation& op) {
    return op.kind == network::OperationKind::Attention && op.p > 0;
  });
}

bool Graph::has_positions() const { return embeds(network, network::Role::Position); }

bool Graph::has_segments() const { return embeds(network, network::Role::Segment); }

const network::NetworkOperation* Graph::attention(bool causal) const {
  const auto found = std::ranges::find_if(network.operations, [=](const network::NetworkOperation& op) {
    return op.kind == network::OperationKind::Attention && op.causal == causal;
  });
  return found == network.operations.end() ? nullptr : &*found;
}

std::shared_ptr<const Graph> graph_of(const ModelShape& model) {
  struct Last {
    std::string network, recompute;
    int layers = 0;
    bool tied = false;
    double residual_dropout = 0, embedding_dropout = 0, attention_dropout = 0;
    std::shared_ptr<const Graph> graph;
  };
  thread_local Last last;
  const bool same =
      last.graph != nullptr && last.network == model.network && last.recompute == model.recompute &&
      last.layers == model.layers && last.tied == model.tied && last.residual_dropout == model.residual_dropout &&
      last.embedding_dropout == model.embedding_dropout && last.attention_dropout == model.attention_dropout;
  // A network file may have changed in the meantime.
  if (!same || model.network.find_first_of("./") != std::string::npos)
    last = {model.network,
            model.recompute,
            model.layers,
            model.tied,
            model.residual_dropout,
            model.embedding_dropout,
            model.attention_dropout,
            std::make_shared<const Graph>(model)};
  return last.graph;
}

network::FormerPhaseNames former_phase_names(const ModelShape& model) {
  const auto graph = graph_of(model);
  return {graph->network, graph->training};
}

}  // namespace weft::compiler
