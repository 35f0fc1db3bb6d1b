#include "sw/compiler/symbols.hpp"

#include <algorithm>

#include "sw/compiler/memory_plan.hpp"

namespace weft {

std::vector<ArraySymbol> array_symbols(const MemoryPlan& m) {
  std::vector<ArraySymbol> list = {{"tokens", m.token},
                                   {"labels", m.label},
                                   {"valid", m.valid},
                                   {"positions", m.position},
                                   {"loss_scale", m.loss_scale},
                                   {"gelu_scratch", m.gelu_scratch},
                                   {"stats", m.stats},
                                   {"probs", m.probs},
                                   {"dprobs", m.dprobs},
                                   {"ln_out", m.ln_out},
                                   {"delta", m.delta},
                                   {"delta_scaled", m.delta_scaled},
                                   {"logits", m.logits},
                                   {"gelu", m.gelu},
                                   {"dgelu", m.dgelu},
                                   {"dheads", m.dheads},
                                   {"dq", m.dq},
                                   {"dk", m.dk},
                                   {"dv", m.dv},
                                   {"ln_f.xhat", m.xhat_final},
                                   {"ln_f.rstd", m.rstd_final},
                                   {"residual", m.residual},
                                   {"dresidual", m.dresidual},
                                   {"ones", m.ones}};
  for (std::size_t l = 0; l < m.layers.size(); ++l) {
    const MemoryPlan::Layer& layer = m.layers[l];
    const std::string h = "h." + std::to_string(l) + ".";
    const std::pair<const char*, int> arrays[] = {{"ln_1.xhat", layer.xhat1},
                                                  {"ln_1.rstd", layer.rstd1},
                                                  {"q", layer.q},
                                                  {"k", layer.k},
                                                  {"v", layer.v},
                                                  {"heads", layer.heads},
                                                  {"ln_2.xhat", layer.xhat2},
                                                  {"ln_2.rstd", layer.rstd2},
                                                  {"u", layer.u}};
    for (const auto& [name, address] : arrays) list.push_back({h + name, address});
  }
  std::ranges::stable_sort(list, {}, &ArraySymbol::address);
  return list;
}

const ArraySymbol* find_symbol(const std::vector<ArraySymbol>& symbols, std::string_view name) {
  const auto at = std::ranges::find(symbols, name, &ArraySymbol::name);
  return at == symbols.end() ? nullptr : &*at;
}

}  // namespace weft
