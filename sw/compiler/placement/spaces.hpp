/// The placements of all kinds of features of a model.
#pragma once

#include "sw/compiler/model/model_shape.hpp"
#include "sw/compiler/placement/loads.hpp"
#include "sw/compiler/placement/space.hpp"
#include "sw/network/network.hpp"

namespace weft::compiler {

/// The placements that a model needs.
struct Spaces {
  Spaces(const ModelShape& model, int rows, const Loads& loads = {});
  Space hidden, filter, vocab, head, position, segment, classes;

  const Space& of(network::Role role) const;
  /// True if the numbers of slots, on which alone a memory plan depends, are equal.
  bool same_slots(const Spaces& other) const;
};

}  // namespace weft::compiler
