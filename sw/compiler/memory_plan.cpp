#include "sw/compiler/memory_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace weft {

Spaces::Spaces(const ModelShape& m, int rows, const Loads& loads)
    : hidden(Space::by_load(m.hidden, rows, loads.hidden)),
      filter(Space::by_load(m.filter, rows, loads.filter)),
      vocab(Space::by_load(m.vocab, rows, loads.vocab)),
      head(Space::heads(m.heads, m.hidden / m.heads, rows, loads.head)),
      position(Space::by_load(m.seq, rows, loads.position)) {}

int MemoryPlan::take(const std::string& use, std::int64_t elements, int align) {
  constexpr std::int64_t kEndless = std::int64_t{1} << 60;  // so that nothing overflows
  const std::int64_t at = (end - above_ + align - 1) / align * align + above_,
                     behind = std::min(at + elements, kEndless);
  auto known = std::find_if(uses.begin(), uses.end(), [&](const Use& u) { return u.name == use; });
  if (known == uses.end()) known = uses.insert(uses.end(), {use, 0});
  known->elements += behind - end;
  end = behind;
  return static_cast<int>(at - above_);
}

int MemoryPlan::take_above(const std::string& use, std::int64_t elements, int sram) {
  take(use, elements, 1);
  above_ += elements;
  return static_cast<int>(std::max<std::int64_t>(0, sram - above_));
}

MemoryPlan::MemoryPlan(const ModelShape& m, const WaferShape& w, const Spaces& s) {
  padded_seq = (m.seq + w.lanes - 1) / w.lanes * w.lanes;
  sequences = (m.micro_batch + w.cols - 1) / w.cols;
  const std::int64_t t = std::int64_t{sequences} * padded_seq, hidden = s.hidden.slots() * t,
                     filter = s.filter.slots() * t, head = s.head.slots() * t, vocab = s.vocab.slots() * t;
  tokens_per_column = static_cast<int>(t);
  const int sram = w.sram_elements();
  upper_half = static_cast<int>(std::bit_floor(static_cast<unsigned>(sram - 1)));

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
  probs = take("attention scores", std::int64_t{padded_seq} * padded_seq, 1);
  dprobs = take("attention scores", std::int64_t{padded_seq} * padded_seq, 1);

  // One region, used in turn by the logits, by a layer's MLP and by its attention.
  const int shared = take("logits, MLP or attention in turn", std::max({vocab, 2 * filter, 4 * head}), 1);
  const auto behind = [&](std::int64_t elements) { return static_cast<int>(shared + elements); };
  logits = shared;
  gelu = shared, dgelu = behind(filter);
  // GELU backward needs gelu no more.
  gelu_at_once = static_cast<int>(
      std::clamp<std::int64_t>(WaferShape::kRDepth / 2 * w.lanes / t, 1, std::max(1, s.filter.slots() / 2)));
  gelu_scratch = s.filter.slots() > 1 ? gelu : take("GELU", 2 * t, 1);
  dheads = shared, dq = behind(head), dk = behind(2 * head), dv = behind(3 * head);
  ln_out = take("LayerNorm", hidden, 1);
  delta = take("deltas", hidden, 1);
  delta_scaled = take("deltas", hidden, 1);
  for (int l = 0; l < m.layers; ++l) {
    Layer layer{};
    layer.xhat1 = take("kept for backward", hidden, 1);
    layer.rstd1 = take("kept for backward", t, 1);
    layer.q = take("kept for backward", head, 1);
    layer.k = take_above("kept for backward", head, sram);
    layer.v = take_above("kept for backward", head, sram);
    layer.heads = take("kept for backward", head, 1);
    layer.xhat2 = take("kept for backward", hidden, 1);
    layer.rstd2 = take("kept for backward", t, 1);
    layer.u = take("kept for backward", filter, 1);
    layers.push_back(layer);
  }
  xhat_final = take("LayerNorm", hidden, 1);
  rstd_final = take("LayerNorm", t, 1);
  residual = take("residual stream", hidden, 1);
  dresidual = take("residual stream", hidden, 1);
  ones = take("constants", t, 1);
  dys_below = take("deltas on their way", 2 * t, 1);
  dys_above = take_above("deltas on their way", 2 * t, sram);
}

std::string MemoryPlan::map(const WaferShape& w) const {
  std::string table;
  for (const Use& use : uses) table += fmt::format("  {:<40} {:>8} bytes\n", use.name, 2 * use.elements);
  return table + fmt::format("  {:<40} {:>8} bytes of {}\n", "total per PE", 2 * end, 2 * w.sram_elements());
}

}  // namespace weft
