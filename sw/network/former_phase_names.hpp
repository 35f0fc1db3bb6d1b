/// Former names of phases, which users, scripts, saved plans and recorded fingerprints may still use.
///
/// A gradient's phase was named "d." and the tensor or value to which the gradient belongs: "d.h.0.mlp.gelu" was the
/// gradient of gelu's output, a GEMM with the weights of c_proj. That phase is now "h.0.mlp.c_proj.dx". Forward phases
/// never had other names.
#pragma once

#include <map>
#include <string>

#include "sw/network/network.hpp"
#include "sw/network/schedule.hpp"

namespace weft::network {

class FormerPhaseNames {
 public:
  FormerPhaseNames(const LayerGraph& network, const Schedule& training);

  /// The present name of the phase that was formerly called `name`; `name` itself if no phase was.
  std::string current(const std::string& name) const;
  /// The former name of the phase that is now called `name`; empty if it never had another.
  std::string former(const std::string& name) const;

 private:
  std::map<std::string, std::string> current_, former_;  // without the numbers of parts: "d.wte.weight.1"
};

}  // namespace weft::network
