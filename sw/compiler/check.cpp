#include "sw/compiler/check.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace weft {
namespace {

void require(bool ok, const std::string& message) {
  if (!ok) throw CompileError(message);
}

/// The nearest numbers of heads that divide `hidden`, as "3", "3 or 4".
std::string heads_near(int heads, int hidden) {
  int below = std::clamp(heads, 1, hidden), above = below;
  while (hidden % below != 0) --below;
  while (hidden % above != 0) ++above;
  return below == above ? fmt::format("{}", below) : fmt::format("{} or {}", below, above);
}

}  // namespace

void check_shapes(const ModelShape& m, const WaferShape& w) {
  require(w.lanes == 2 || w.lanes == 4 || w.lanes == 8 || w.lanes == 16,
          fmt::format("wafer.lanes: {} is not 2, 4, 8 or 16. HINT: use 4.", w.lanes));
  require(w.rows >= 1 && w.rows <= 128, fmt::format("wafer.rows: {} is not in 1..128.", w.rows));
  require(w.cols >= 1 && w.cols <= 128, fmt::format("wafer.cols: {} is not in 1..128.", w.cols));
  require(w.valves >= 1 && w.valves <= w.rows,
          fmt::format("wafer.valves: {} is not in 1..{} (wafer.rows). HINT: use 1.", w.valves, w.rows));
  require(w.sram_kib >= 1 && w.sram_kib <= 128, fmt::format("wafer.sram_kib: {} is not in 1..128.", w.sram_kib));
  require(m.hidden >= 1, fmt::format("model.hidden_size: {} is not at least 1.", m.hidden));
  if (m.heads < 1 || m.hidden % m.heads != 0)
    throw CompileError(fmt::format("model.num_heads: {} does not divide hidden_size {}. HINT: use {}.", m.heads,
                                   m.hidden, heads_near(m.heads, m.hidden)));
  require(m.layers >= 1 && m.filter >= 1 && m.seq >= 1 && m.vocab >= 2 && m.micro_batch >= 1,
          "model: num_hidden_layers, filter_size, max_sequence_length and micro_batch_size must be at least 1, "
          "vocab_size at least 2.");
}

void check_fit(const ModelShape& m, const WaferShape& w, const Spaces& s, const MemoryPlan& p) {
  if (p.end > w.sram_elements()) {
    std::string hints;
    const auto fits = [&](ModelShape model, WaferShape wafer) {
      return MemoryPlan(model, wafer, Spaces(model, wafer.rows)).end <= wafer.sram_elements();
    };
    WaferShape more = w;
    for (more.sram_kib = w.sram_kib; more.sram_kib <= 128 && !fits(m, more);) ++more.sram_kib;
    if (more.sram_kib <= 128) hints += fmt::format(" wafer.sram_kib {},", more.sram_kib);
    more = w;
    while (more.rows <= 64 && !fits(m, more)) more.rows *= 2;
    if (more.rows <= 128 && fits(m, more)) hints += fmt::format(" wafer.rows {},", more.rows);
    ModelShape less = m;
    while (less.layers > 1 && !fits(less, w)) --less.layers;
    if (fits(less, w)) hints += fmt::format(" model.num_hidden_layers {},", less.layers);
    less = m;
    while (less.micro_batch > 1 && !fits(less, w)) --less.micro_batch;
    if (fits(less, w)) hints += fmt::format(" train_input.micro_batch_size {},", less.micro_batch);
    if (!hints.empty()) hints.pop_back();
    throw CompileError(fmt::format(
        "the model needs {} bytes of SRAM in every PE; wafer.sram_kib {} gives {}. HINT: {}\n{}", 2 * p.end, w.sram_kib,
        2 * w.sram_elements(), hints.empty() ? "use a smaller model." : "any of these fits:" + hints + ".", p.map));
  }
  const int beats = p.tokens_per_column / w.lanes;
  require(6 * beats <= w.kRDepth,
          fmt::format("{} tokens of a micro-batch fall on one column; the accumulator file holds {}. HINT: use more "
                      "wafer.cols or a smaller train_input.micro_batch_size.",
                      p.tokens_per_column, w.kRDepth / 6 * w.lanes));
  const int reach = 1 << std::min(w.row_shift(), 15);
  require(
      p.end / p.tokens_per_column < reach && std::max(s.vocab.slots(), s.position.slots()) < reach - 1,
      fmt::format("a weight's index cannot reach every array: {} rows leave {} local indices. HINT: use fewer rows.",
                  w.rows, reach));
}

void check_program(const Program& program) {
  require(program.words.size() <= static_cast<std::size_t>(WaferShape::kIDepth),
          fmt::format("the kernels have {} instructions, instruction memory holds {}.", program.words.size(),
                      WaferShape::kIDepth));
}

}  // namespace weft
