#include "sw/compiler/memory/array_symbols.hpp"

#include <algorithm>

#include "sw/compiler/model/dropout.hpp"

namespace weft::compiler {

std::vector<ArraySymbol> array_symbols(const MemoryPlan& m) {
  const int tokens = m.tokens_per_column, sequence = m.padded_seq;
  std::vector<ArraySymbol> list = {{"tokens", m.token, m.blocks, tokens},
                                   {"labels", m.label, m.blocks, tokens},
                                   {"valid", m.valid, 1, tokens},
                                   {"positions", m.position, 1, tokens},
                                   {"loss_scale", m.loss_scale, 1, tokens},
                                   {"probs", m.probs, m.positions > 0 ? m.positions : m.parts * sequence, sequence},
                                   {"ones", m.ones, 1, tokens},
                                   {"dys.below", m.dys_below, 2, tokens},
                                   {"dys.above", m.dys_above, 2, tokens}};
  if (!m.shared) list.push_back({"dprobs", m.dprobs, m.positions > 0 ? 0 : m.parts * sequence, sequence});
  if (m.segment > 0) list.push_back({"segments", m.segment, 1, tokens});
  if (m.document > 0) list.push_back({"documents", m.document, 1, tokens});
  if (m.class_label > 0 && m.class_label != m.label) {
    list.push_back({"class_labels", m.class_label, 1, tokens});
    list.push_back({"class_weight", m.class_weight, 1, tokens});
    list.push_back({"class_scale", m.class_scale, 1, tokens});
  }
  if (m.label_low > 0) list.push_back({"labels_low", m.label_low, 1, tokens});
  if (m.visitors > 0) {
    list.push_back({"place", m.place, 1, sequence});
    list.push_back({"closed", m.closed, 1, sequence});
    list.push_back({"visitors", m.visitors, m.turns_at_once * m.visitor_slots, sequence});
    if (m.numbers > 0) list.push_back({"numbers", m.numbers, 2, sequence});
  }
  if (m.drop_flag > 0) {
    list.push_back({"dropout_numbers", m.drop_numbers, kSentNumbers, tokens});
    list.push_back({"dropout_mixed", m.drop_mixed, kDropoutNumbers, tokens});
  }
  if (m.drop_keys > 0) list.push_back({"dropout_keys", m.drop_keys, kDropoutNumbers * m.parts, sequence});
  list.insert(list.end(), m.arrays.begin(), m.arrays.end());
  std::ranges::stable_sort(list, {}, &ArraySymbol::address);
  return list;
}

}  // namespace weft::compiler
