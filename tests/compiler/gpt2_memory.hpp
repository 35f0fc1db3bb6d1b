/// Addresses of a GPT-2's arrays, under the names that its tests use.
#pragma once

#include <string>
#include <vector>

#include "sw/compiler/memory/memory_plan.hpp"

namespace weft::compiler {

struct Gpt2Memory : MemoryPlan {
  struct Layer {
    int xhat1, rstd1, q, k, v, heads, xhat2, rstd2, u;
  };

  Gpt2Memory(const ModelShape& model, const machine::WaferShape& wafer, const Spaces& spaces)
      : MemoryPlan(model, wafer, spaces) {
    for (int n = 0; n < model.layers; ++n) {
      const std::string h = "h." + std::to_string(n) + ".";
      layers.push_back({at(h + "ln_1.xhat"), at(h + "ln_1.rstd"), at(h + "q"), at(h + "k"), at(h + "v"),
                        at(h + "heads"), at(h + "ln_2.xhat"), at(h + "ln_2.rstd"), at(h + "u")});
    }
  }

  std::vector<Layer> layers;
  int logits = at("logits"), gelu = at("gelu"), dgelu = at("dgelu"), gelu_scratch = at("elementwise_scratch");
  int dheads = at("dheads"), dq = at("dq"), dk = at("dk"), dv = at("dv");
  int ln_out = at("ln_out"), delta = at("dln_out"), delta_scaled = at("delta_scaled");
  int xhat_final = at("ln_f.xhat"), rstd_final = at("ln_f.rstd");
  int residual = at("residual"), dresidual = at("dresidual");
};

}  // namespace weft::compiler
