#include "sw/compiler/graph/graph.hpp"

#include <algorithm>

#include "sw/compiler/model/tensors.hpp"
#include "sw/network/former_phase_names.hpp"

namespace weft {

Graph::Graph(const ModelShape& model)
    : network(find_network(model.network, sizes_of(model))),
      training(training_schedule(network)),
      gradients(gradient_arrays(network)) {}

bool Graph::has(NetworkOperation::Kind kind) const {
  return std::ranges::count(network.operations, kind, &NetworkOperation::kind) > 0;
}

std::shared_ptr<const Graph> graph_of(const ModelShape& model) {
  struct Last {
    std::string network, recompute;
    int layers = 0;
    bool tied = false;
    std::shared_ptr<const Graph> graph;
  };
  thread_local Last last;
  const bool same = last.graph != nullptr && last.network == model.network && last.recompute == model.recompute &&
                    last.layers == model.layers && last.tied == model.tied;
  // A network file may have changed in the meantime.
  if (!same || model.network.find_first_of("./") != std::string::npos)
    last = {model.network, model.recompute, model.layers, model.tied, std::make_shared<const Graph>(model)};
  return last.graph;
}

FormerPhaseNames former_phase_names(const ModelShape& model) {
  const auto graph = graph_of(model);
  return {graph->network, graph->training};
}

std::vector<ArrayUse> uses_of(const Step& step, const Graph& graph) {
  std::vector<ArrayUse> uses;
  if (step.op < 0) return uses;
  const NetworkOperation& op = graph.op(step);
  const auto values = [&](const std::vector<int>& list, bool gradient, bool makes) {
    for (const int v : list) uses.push_back({v, gradient, makes});
  };
  using Kind = Step::Kind;
  switch (step.kind) {
    case Kind::Linear:
      values(op.in, false, false);
      uses.push_back({op.out[static_cast<std::size_t>(step.n)], false, op.add < 0});
      break;
    case Kind::Embed:
    case Kind::Affine:
      values(op.out, false, true);
      break;
    case Kind::Norm:
    case Kind::Loss:
    case Kind::Logits:
    case Kind::LossBack:
      values(op.in, false, false);
      break;
    case Kind::Gelu:
    case Kind::Attention:
      values(op.in, false, false);
      values(op.out, false, true);
      break;
    case Kind::WeightGradient:
      values(op.in, false, false);
      uses.push_back({op.out[static_cast<std::size_t>(step.n)], true, false});
      break;
    case Kind::InputGradient:
      for (const int through : step.through) {
        values(graph.network.operations[static_cast<std::size_t>(through)].out, true, false);
      }
      uses.push_back({step.value, true, !step.adds});
      break;
    case Kind::GeluBack:
      values(op.in, false, false);
      values(op.out, true, false);
      break;
    case Kind::AttentionBack:
      values(op.in, false, false);
      values(op.out, true, false);
      values(op.in, true, true);
      break;
    case Kind::Rotary:
      values(op.out, false, false);
      break;
    case Kind::RotaryBack:
    case Kind::ScaleGradient:
    case Kind::EmbedGradient:
      values(op.out, true, false);
      break;
    case Kind::NormBack:
      values(op.out, true, false);
      values(op.in, true, false);
      break;
    case Kind::Flags:
      break;
  }
  return uses;
}

}  // namespace weft
