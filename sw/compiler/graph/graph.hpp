/// A model's network, with everything derived from it that does not depend on the wafer.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sw/compiler/model/model_shape.hpp"
#include "sw/network/former_phase_names.hpp"
#include "sw/network/network.hpp"
#include "sw/network/schedule.hpp"

namespace weft::compiler {

struct Graph {
  /// Throws Refusal of model.network.
  explicit Graph(const ModelShape& model);

  network::LayerGraph network;
  network::Schedule training;
  std::vector<std::string> gradients;  ///< [value]: array

  const network::NetworkOperation& op(const network::Step& step) const {
    return network.operations[static_cast<std::size_t>(step.op)];
  }
  const std::string& gradient(int value) const { return gradients[static_cast<std::size_t>(value)]; }
  bool has(network::NetworkOperation::Kind kind) const;
  /// Returns true if features of this role are dropped.
  bool drops(network::Role role) const;
  /// Returns true if weights of attention are dropped.
  bool drops_weights() const;
  /// Returns true if embeddings of positions are added to those of tokens.
  bool has_positions() const;
  /// Returns true if embeddings of segments are added to those of tokens.
  bool has_segments() const;
  /// The first attention that is causal, or that is not; null if there is none.
  const network::NetworkOperation* attention(bool causal) const;
};

/// As the constructor, but keeps the last graph of a built-in network, which hints request repeatedly.
std::shared_ptr<const Graph> graph_of(const ModelShape& model);

/// Former names of the phases of a model's plan.
network::FormerPhaseNames former_phase_names(const ModelShape& model);

}  // namespace weft::compiler
