/// A model's network with all that follows from it without a wafer.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sw/compiler/plan.hpp"
#include "sw/compiler/space.hpp"
#include "sw/network/schedule.hpp"

namespace weft {

struct Graph {
  /// Throws Refusal of model.network.
  explicit Graph(const ModelShape& model);

  LayerGraph network;
  Schedule training;
  std::vector<std::string> gradients;  ///< [value]: array

  const NetworkOperation& op(const Step& step) const { return network.operations[static_cast<std::size_t>(step.op)]; }
  const std::string& gradient(int value) const { return gradients[static_cast<std::size_t>(value)]; }
  bool has(NetworkOperation::Kind kind) const;
};

/// The same; hints ask for one of a built-in network again and again.
std::shared_ptr<const Graph> graph_of(const ModelShape& model);

/// What a step reads or writes of values and their gradients.
struct ArrayUse {
  int value;
  bool gradient;  ///< of the value
  bool makes;     ///< what was there before is not needed
};
std::vector<ArrayUse> uses_of(const Step& step, const Graph& graph);

}  // namespace weft
