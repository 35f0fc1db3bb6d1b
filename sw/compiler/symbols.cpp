#include "sw/compiler/symbols.hpp"

#include <algorithm>

#include "sw/compiler/memory_plan.hpp"

namespace weft {

std::vector<ArraySymbol> array_symbols(const MemoryPlan& m, const Spaces& s) {
  const int tokens = m.tokens_per_column, sequence = m.padded_seq;
  const int hidden = s.hidden.slots(), filter = s.filter.slots(), head = s.head.slots(), vocab = s.vocab.slots();
  std::vector<ArraySymbol> list = {{"tokens", m.token, 1, tokens},
                                   {"labels", m.label, 1, tokens},
                                   {"valid", m.valid, 1, tokens},
                                   {"positions", m.position, 1, tokens},
                                   {"loss_scale", m.loss_scale, 1, tokens},
                                   {"gelu_scratch", m.gelu_scratch, 2 * m.gelu_at_once, tokens},
                                   {"probs", m.probs, sequence, sequence},
                                   {"dprobs", m.dprobs, sequence, sequence},
                                   {"ln_out", m.ln_out, hidden, tokens},
                                   {"delta", m.delta, hidden, tokens},
                                   {"delta_scaled", m.delta_scaled, hidden, tokens},
                                   {"logits", m.logits, vocab, tokens},
                                   {"gelu", m.gelu, filter, tokens},
                                   {"dgelu", m.dgelu, filter, tokens},
                                   {"dheads", m.dheads, head, tokens},
                                   {"dq", m.dq, head, tokens},
                                   {"dk", m.dk, head, tokens},
                                   {"dv", m.dv, head, tokens},
                                   {"ln_f.xhat", m.xhat_final, hidden, tokens},
                                   {"ln_f.rstd", m.rstd_final, 1, tokens},
                                   {"residual", m.residual, hidden, tokens},
                                   {"dresidual", m.dresidual, hidden, tokens},
                                   {"ones", m.ones, 1, tokens},
                                   {"dys.below", m.dys_below, 2, tokens},
                                   {"dys.above", m.dys_above, 2, tokens}};
  for (std::size_t l = 0; l < m.layers.size(); ++l) {
    const MemoryPlan::Layer& layer = m.layers[l];
    const std::string h = "h." + std::to_string(l) + ".";
    const ArraySymbol arrays[] = {{"ln_1.xhat", layer.xhat1, hidden, tokens},
                                  {"ln_1.rstd", layer.rstd1, 1, tokens},
                                  {"q", layer.q, head, tokens},
                                  {"k", layer.k, head, tokens},
                                  {"v", layer.v, head, tokens},
                                  {"heads", layer.heads, head, tokens},
                                  {"ln_2.xhat", layer.xhat2, hidden, tokens},
                                  {"ln_2.rstd", layer.rstd2, 1, tokens},
                                  {"u", layer.u, filter, tokens}};
    for (const ArraySymbol& array : arrays) list.push_back({h + array.name, array.address, array.slots, array.width});
  }
  std::ranges::stable_sort(list, {}, &ArraySymbol::address);
  return list;
}

const ArraySymbol* find_symbol(const std::vector<ArraySymbol>& symbols, std::string_view name) {
  const auto at = std::ranges::find(symbols, name, &ArraySymbol::name);
  return at == symbols.end() ? nullptr : &*at;
}

}  // namespace weft
