#include "sw/compiler/memory_plan.hpp"

#include <algorithm>
#include <cstdio>

namespace weft {

Spaces::Spaces(const ModelShape& m, int rows, const Loads& loads)
    : hidden(Space::dealt(heaviest_first(m.hidden, loads.hidden), rows)),
      filter(Space::dealt(heaviest_first(m.filter, loads.filter), rows)),
      vocab(Space::dealt(heaviest_first(m.vocab, loads.vocab), rows)),
      head(Space::heads(m.heads, m.hidden / m.heads, rows, loads.head)),
      position(Space::dealt(heaviest_first(m.seq, loads.position), rows)) {}

int MemoryPlan::take(const std::string& use, int elements, int align) {
  const int at = (end + align - 1) / align * align;
  auto known = std::find_if(uses_.begin(), uses_.end(), [&](const auto& u) { return u.first == use; });
  if (known == uses_.end()) known = uses_.insert(uses_.end(), {use, 0});
  known->second += at + elements - end;
  end = at + elements;
  return at;
}

MemoryPlan::MemoryPlan(const ModelShape& m, const WaferShape& w, const Spaces& s) {
  padded_seq = (m.seq + w.lanes - 1) / w.lanes * w.lanes;
  sequences = (m.micro_batch + w.cols - 1) / w.cols;
  tokens_per_column = sequences * padded_seq;
  const int t = tokens_per_column, hidden = s.hidden.slots() * t, filter = s.filter.slots() * t,
            head = s.head.slots() * t, vocab = s.vocab.slots() * t;

  take("constants", kTables, 1);
  table_hidden = take("constants", w.rows, 1);
  table_filter = take("constants", w.rows, 1);
  table_vocab = take("constants", w.rows, 1);
  table_head = take("constants", w.rows, 1);
  triangle = take("constants", w.lanes * w.lanes, w.lanes);
  triangle_lower = take("constants", w.lanes * w.lanes, w.lanes);
  token = take("tokens and labels", t, w.lanes);
  label = take("tokens and labels", t, 1);
  valid = take("tokens and labels", t, 1);
  position = take("tokens and labels", t, 1);
  loss_scale = take("softmax", t, 1);
  gelu_scratch = take("GELU", 2 * t, 1);
  stats = take("attention scores", 3 * padded_seq, 1);
  probs = take("attention scores", padded_seq * padded_seq, 1);
  dprobs = take("attention scores", padded_seq * padded_seq, 1);

  // One region, used in turn by the logits, by a layer's MLP and by its attention.
  const int shared = take("logits or MLP or attention, in turn", std::max({vocab, 2 * filter, 4 * head}), 1);
  logits = shared;
  gelu = shared, dgelu = gelu + filter;
  dheads = shared, dq = dheads + head, dk = dq + head, dv = dk + head;
  ln_out = take("LayerNorm", hidden, 1);
  delta = take("deltas", hidden, 1);
  delta_scaled = take("deltas", hidden, 1);
  for (int l = 0; l < m.layers; ++l) {
    Layer layer{};
    layer.xhat1 = take("kept for backward, per layer", hidden, 1);
    layer.rstd1 = take("kept for backward, per layer", t, 1);
    layer.q = take("kept for backward, per layer", head, 1);
    layer.k = take("kept for backward, per layer", head, 1);
    layer.v = take("kept for backward, per layer", head, 1);
    layer.heads = take("kept for backward, per layer", head, 1);
    layer.xhat2 = take("kept for backward, per layer", hidden, 1);
    layer.rstd2 = take("kept for backward, per layer", t, 1);
    layer.u = take("kept for backward, per layer", filter, 1);
    layers.push_back(layer);
  }
  xhat_final = take("LayerNorm", hidden, 1);
  rstd_final = take("LayerNorm", t, 1);
  residual = take("residual stream and its gradient", hidden, 1);
  dresidual = take("residual stream and its gradient", hidden, 1);
  ones = take("constants", t, 1);

  char line[96];
  for (const auto& [use, elements] : uses_) {
    std::snprintf(line, sizeof line, "  %-40s %8d bytes\n", use.c_str(), 2 * elements);
    map += line;
  }
  std::snprintf(line, sizeof line, "  %-40s %8d bytes of %d\n", "total per PE", 2 * end, 2 * w.sram_elements());
  map += line;
}

}  // namespace weft
