#include "sw/compiler/memory/memory_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>
#include <stdexcept>

#include "sw/compiler/graph/operation_lowering.hpp"
#include "sw/compiler/memory/overlay.hpp"
#include "sw/compiler/model/dropout.hpp"
#include "sw/compiler/placement/blocks.hpp"
#include "sw/compiler/stream/sum_order.hpp"
#include "sw/machine/sum_cycles.hpp"
#include "sw/network/operations.hpp"

namespace weft::compiler {

namespace {

constexpr int kMostCounted = 65535;  // outputs, in a register

/// True for an array that does not share memory: a kept value, and a norm's output or the residual stream with their
/// gradients.
bool lies_alone(const Graph& graph, const network::ArrayUse& use) {
  const network::NetworkValue& value = graph.network.value(network::source_of(graph.network, use.value));
  const network::NetworkOperation& maker = graph.network.operations[static_cast<std::size_t>(value.maker)];
  return (value.kept && !use.gradient) || maker.kind == network::NetworkOperation::Kind::Norm ||
         network::is_stream(graph.network, use.value);
}

}  // namespace

int MemoryPlan::allocate(const std::string& use, std::int64_t elements, int align) {
  constexpr std::int64_t kEndless = std::int64_t{1} << 60;  // prevents overflows
  const std::int64_t at = (end - above_ + align - 1) / align * align + above_,
                     behind = std::min(at + elements, kEndless);
  auto known = std::find_if(uses.begin(), uses.end(), [&](const Use& u) { return u.name == use; });
  if (known == uses.end()) known = uses.insert(uses.end(), {use, 0});
  known->elements += behind - end;
  end = behind;
  return static_cast<int>(at - above_);
}

int MemoryPlan::allocate_above(const std::string& use, std::int64_t elements, int sram) {
  allocate(use, elements, 1);
  above_ += elements;
  return static_cast<int>(std::max<std::int64_t>(0, sram - above_));
}

MemoryPlan::MemoryPlan(const ModelShape& m, const machine::WaferShape& w, const Spaces& s, const Graph& graph,
                       int decoded)
    : MemoryPlan(m, w, s, graph, decoded, Extras{}) {
  const int sram = w.sram_elements();
  if (shared && end > sram) *this = MemoryPlan(m, w, s, graph, decoded, {.arrays = false});
  if (wanted_.empty()) return;
  MemoryPlan without(m, w, s, graph, decoded, {.places = false});
  if (shared && without.end > sram) without = MemoryPlan(m, w, s, graph, decoded, {.places = false, .arrays = false});
  const bool only_numbers = reached(w, 0) >= sram;  // without places outputs are interleaved, too
  if (end > sram || (only_numbers && turns_at_once < without.turns_at_once)) *this = without;
}

MemoryPlan::MemoryPlan(const ModelShape& m, const machine::WaferShape& w, const Spaces& s, const Graph& graph,
                       int decoded, Extras extras)
    : positions(decoded) {
  parts = w.sequence_columns;
  const int together = w.cols / parts;
  padded_seq = ((m.seq + parts - 1) / parts + w.lanes - 1) / w.lanes * w.lanes;
  sequences = (m.micro_batch + together - 1) / together;
  if (positions > 0) parts = 1, padded_seq = w.lanes, sequences = 1;  // lanes are texts
  const std::int64_t t = std::int64_t{sequences} * padded_seq;
  tokens_per_column = static_cast<int>(t);
  if (positions > 0) kept_stride = s.head.slots() * tokens_per_column;
  const int sram = w.sram_elements();
  upper_half = static_cast<int>(std::bit_floor(static_cast<unsigned>(sram - 1)));

  if (extras.places) want_places(w, graph);

  counts = m.vocab > kMostCounted;
  allocate("constants", kTables, 1);
  for (int* const table : {&table_hidden, &table_filter, &table_vocab, &table_head})
    *table = allocate("constants", w.rows + (counts ? 1 : 0), 1);
  if (m.classes > 0) {
    table_class = allocate("constants", w.rows + (counts ? 1 : 0), 1);
    class_table = allocate("constants", kLossConstants, 1);
    const bool tokens = graph.has(network::NetworkOperation::Kind::Loss);
    if (tokens && vocabulary_blocks(s.vocab, w) == 1 && m.label_smoothing == 0)
      token_table = allocate("constants", kLossConstants, 1);
  }
  const bool drops_features = graph.has(network::NetworkOperation::Kind::Dropout),
             drops_weights = positions == 0 && graph.drops_weights(), drops = drops_features || drops_weights;
  if (drops) drop_flag = allocate("dropout", 1, 1);
  if (drops_features) {
    drop_hidden = allocate("dropout", std::int64_t{kDropoutNumbers} * s.hidden.slots(), 1);
    if (graph.drops(network::Role::Filter))
      drop_filter = allocate("dropout", std::int64_t{kDropoutNumbers} * s.filter.slots(), 1);
  }
  if (drops_weights)
    drop_keys = allocate("dropout", std::int64_t{kDropoutNumbers} * most_heads(m, w) * parts * padded_seq, 1);
  triangle_lower = allocate("constants", w.lanes * w.lanes, w.lanes);
  blocks = vocabulary_blocks(s.vocab, w);
  token = allocate("tokens and labels", blocks * t, w.lanes);
  if (m.has_segments()) segment = allocate("tokens and labels", t, 1);
  label = allocate("tokens and labels", blocks * t, 1);
  valid = allocate("tokens and labels", t, 1);
  if (m.has_documents() || graph.attention(false) != nullptr) document = allocate("tokens and labels", t, 1);
  using Kind = network::NetworkOperation::Kind;
  if (graph.has(Kind::SquaredError)) label_low = allocate("tokens and labels", t, 1);
  const bool two = graph.has(Kind::ClassLoss) && graph.has(Kind::Loss);
  class_label = two ? allocate("tokens and labels", t, 1) : label;
  class_weight = two ? allocate("tokens and labels", t, 1) : valid;
  position = allocate("tokens and labels", t, 1);
  if (drops) {
    drop_numbers = allocate("dropout", kSentNumbers * t, 1);
    drop_mixed = allocate("dropout", kDropoutNumbers * t, 1);
  }
  loss_scale = allocate("softmax", t, 1);
  class_scale = two ? allocate("softmax", t, 1) : loss_scale;
  const bool attends = graph.has(network::NetworkOperation::Kind::Attention);
  if (attends && positions == 0 && m.attention == "shared" && document == 0 && !drops_weights)
    shared = shared_attention(m, w, padded_seq);
  const std::int64_t keys = positions > 0 ? positions : std::int64_t{padded_seq} * parts;
  const std::int64_t scores = attends && !shared ? keys * padded_seq : 0;
  const bool apart = attends && positions == 0 && parts == 1;  // P and dS
  if (!apart) probs = allocate("attention scores", scores, 1);
  dprobs = allocate("attention scores", positions > 0 ? 0 : scores, 1);
  if (attends && parts > 1) shared ? allocate_shared(w) : allocate_long_sequences(m, w);
  allocate_overlaid_values(w, s, graph, extras.arrays);
  allocate_norms(s, graph);
  allocate_kept(s, graph, sram);
  allocate_norm_gradients(s, graph, sram);
  allocate_streams(s, graph);
  ones = allocate("constants", t, 1);
  dys_below = allocate("deltas on their way", 2 * t, 1);
  dys_above = allocate_above("deltas on their way", 2 * t, sram);
  if (apart) probs = allocate_above("attention scores", scores, sram);
  triangle = allocate_above("constants", w.lanes * w.lanes, sram);
  if (m.rotary_dim > 0) allocate_rotary(m, w);
  if (attends && parts > 1) shared ? allocate_shared_visitors(w) : allocate_visitors(w);
}

std::int64_t MemoryPlan::reached(const machine::WaferShape& w, int numbers) const {
  const int bits = std::max(w.row_shift() - numbers, 0);
  return (std::int64_t{1} << bits) * tokens_per_column;
}

void MemoryPlan::want_places(const machine::WaferShape& w, const Graph& graph) {
  if (positions > 0 || !w.turns || tokens_per_column / w.lanes >= machine::kSumLatency ||
      reached(w, SumOrder::kBits) >= w.sram_elements())
    return;
  for (const network::NetworkOperation& op : graph.network.operations) {
    if (op.kind != network::NetworkOperation::Kind::Linear) continue;
    wanted_.insert({network::array_of(graph.network, op.in[0]), graph.gradient(op.in[0])});
    for (const int v : op.out) wanted_.insert(graph.gradient(v));
    if (op.add >= 0) wanted_.insert(network::array_of(graph.network, op.add));
  }
}

void MemoryPlan::allocate_long_sequences(const ModelShape& m, const machine::WaferShape& w) {
  const std::string use = "attention over columns";
  place = allocate(use, padded_seq, 1);
  visitor_slots = head_features(m, w);
  if (document > 0) numbers = allocate(use, 2 * padded_seq, 1);
}

/// Places the masks and the visitors of long sequences. Visitors of more turns than one take memory that is left.
void MemoryPlan::allocate_visitors(const machine::WaferShape& w) {
  const std::string use = "attention over columns";
  constexpr std::int64_t kMost = 2048;  // elements
  const std::int64_t each = std::int64_t{visitor_slots} * padded_seq, beats = padded_seq / w.lanes;
  const int sram = w.sram_elements();
  closed = allocate_above(use, padded_seq, sram);
  strips = allocate_above(use, std::int64_t{w.lanes} * (2 * padded_seq - w.lanes), sram);
  // R has room for the scores of all turns that are gathered, and for visitors on their way.
  const std::int64_t room = machine::WaferShape::kRDepth - std::min<std::int64_t>(kMostTravel, visitor_slots * beats);
  const std::int64_t most = std::min({room / (padded_seq * beats), kMost / each, (sram - end) / each});
  if (most > 1) {
    const auto gathers = (parts + most - 1) / most, turns = (parts + gathers - 1) / gathers;
    // A vf has this number of turns times the beats of a sequence, and needs some to hide the latency of its sums.
    if (turns >= w.lanes || turns * beats >= 8) turns_at_once = static_cast<int>(turns);
  }
  visitors = allocate_above(use, turns_at_once * each, sram);
}

void MemoryPlan::allocate_shared(const machine::WaferShape& w) {
  const std::string use = "attention over columns";
  share_row = allocate(use, (kShareConstants + w.lanes - 1) / w.lanes * w.lanes, 1);
  place = allocate(use, shared->scores(1, w.lanes) / shared->sets(), 1);
}

std::int64_t MemoryPlan::place_shared(std::int64_t at, const machine::WaferShape& w, bool arrays) {
  constexpr std::int64_t kMost = 1 << 24;  // an address that fits no SRAM
  std::int64_t next = at;
  const auto place = [&](int& address, std::int64_t elements) {
    address = static_cast<int>(std::min(next, kMost));
    next += elements;
  };
  place(probs, shared->scores(parts, w.lanes));
  dprobs = probs;
  const bool one = !arrays && w.lanes >= kShareValues;
  place(shared_q, std::int64_t{shared->record} * padded_seq);
  for (int* const array : {&shared_k, &shared_v, &shared_dout})
    one ? void(*array = shared_q) : place(*array, std::int64_t{shared->record} * padded_seq);
  for (int* const records : {&records_k, &records_v}) place(*records, std::int64_t{shared->keys} * shared->record);
  return next - at;
}

/// Places the masks and the visitors of rows that share the keys. Visitors of more turns than one take memory that is
/// left.
void MemoryPlan::allocate_shared_visitors(const machine::WaferShape& w) {
  const std::string use = "attention over columns";
  constexpr std::int64_t kMost = 4096;  // elements
  const int sram = w.sram_elements();
  closed = allocate_above(use, shared->scores(1, w.lanes) / shared->sets(), sram);
  for (int* const mask : {&own_mask, &own_mask_back}) *mask = allocate_above(use, shared->scores(1, w.lanes), sram);
  const int most = std::max(1, batch_turns(*shared, w, std::min(kMost, sram - end)));
  int batches = (parts + most - 1) / most;
  // psum gathers the second of two batches while main computes the first; a vf needs some beats to hide the latency of
  // its sums.
  if (batches == 1 && (parts + 1) / 2 * shared->set * shared->part_beats >= 8) batches = 2;
  turns_at_once = (parts + batches - 1) / batches;
  visitors = allocate_above(use, std::int64_t{2} * turns_at_once * shared->slice(), sram);
}

void MemoryPlan::allocate_rotary(const ModelShape& m, const machine::WaferShape& w) {
  const int spread = rows_per_head(m.heads, m.hidden / m.heads, w.rows, m.head_unit());
  rotary_pairs = (m.rotary_dim / 2 + spread - 1) / spread;
  turns = std::max(padded_seq, (positions + w.lanes - 1) / w.lanes * w.lanes);
  const std::int64_t table = std::int64_t{rotary_pairs} * turns;
  rotary_count = allocate("rotary angles", w.lanes, w.lanes);
  rotary_cos = allocate("rotary angles", table, w.lanes);
  rotary_sin = allocate("rotary angles", table, w.lanes);
  rotary_minus = allocate("rotary angles", table, w.lanes);
}

void MemoryPlan::add(const std::string& name, int address, int slots) {
  arrays.push_back({name, address, slots, tokens_per_column});
  addresses_.emplace(name, address);
  if (wanted_.contains(name)) followed_.insert(address);
}

int MemoryPlan::at(std::string_view array) const {
  if (const auto found = addresses_.find(array); found != addresses_.end()) return found->second;
  throw std::out_of_range("there is no array " + std::string(array));
}

/// Places values that are not kept, and gradients, in one region that they share.
void MemoryPlan::allocate_overlaid_values(const machine::WaferShape& w, const Spaces& s, const Graph& graph,
                                          bool share_arrays) {
  std::vector<Overlaid> arrays;
  std::set<std::string> norms;  // gradients of norms' outputs, which may be those of their inputs, too
  for (const network::NetworkOperation& op : graph.network.operations)
    if (op.kind == network::NetworkOperation::Kind::Norm) norms.insert(graph.gradient(op.out[0]));
  Overlaid attention{.name = "", .elements = 0, .times = {}};
  const auto use = [&](const std::string& name, std::int64_t slots, std::size_t step, bool makes) {
    auto at = std::ranges::find(arrays, name, &Overlaid::name);
    if (at == arrays.end())
      at = arrays.insert(at, {.name = name, .elements = with_place(name, slots) * tokens_per_column, .times = {}});
    at->use(step, makes);
  };
  for (std::size_t n = 0; n < graph.training.steps.size(); ++n) {
    const network::Step& step = graph.training.steps[n];
    for (const network::ArrayUse& one : network::uses_of(step, graph.network)) {
      if (lies_alone(graph, one)) continue;
      const std::string& name = one.gradient ? graph.gradient(one.value) : network::array_of(graph.network, one.value);
      if (one.gradient && norms.contains(name)) continue;
      use(name, s.of(graph.network.value(one.value).role).slots(), n, one.makes);
    }
    const bool back = step.kind == network::Step::Kind::InputGradient;
    if (!back && step.kind != network::Step::Kind::Forward) continue;
    const network::NetworkOperation& op = graph.op(step);
    if (shared && op.kind == network::NetworkOperation::Kind::Attention) {
      attention.use(n, true);
      const network::ArrayUse out{.value = op.out[0], .gradient = false, .makes = false};  // for D, in backward
      if (back && !lies_alone(graph, out)) use(network::array_of(graph.network, out.value), s.head.slots(), n, false);
    }
    if (!back) continue;
    if (op.function != nullptr && !op.function->uses_scratch()) continue;
    const network::OperationKind kind = op.kind;
    const std::string scratch(network::rules_of(kind).scratch);
    if (!scratch.empty())
      use(scratch, lowering_of(kind).scratch_slots(w, s, std::int64_t{sequences} * padded_seq), n, true);
  }
  if (shared) {
    const std::int64_t t = tokens_per_column;
    attention.elements = (place_shared(0, w, share_arrays) + t - 1) / t * t;
    arrays.push_back(attention);
  }
  const int values = allocate("logits, MLP or attention in turn", place_overlays(arrays), 1);
  if (shared) {
    place_shared(values + arrays.back().at, w, share_arrays);
    arrays.pop_back();
  }
  for (const Overlaid& array : arrays)
    add(array.name, static_cast<int>(values + array.at),
        static_cast<int>(array.elements / tokens_per_column - with_place(array.name, 0)));
}

void MemoryPlan::allocate_norms(const Spaces& s, const Graph& graph) {
  const int slots = s.hidden.slots();
  std::set<std::string> known;
  for (const network::NetworkOperation& op : graph.network.operations) {
    if (op.kind != network::NetworkOperation::Kind::Norm) continue;
    const std::string name = network::array_of(graph.network, op.out[0]);
    if (!graph.network.value(op.out[0]).kept && known.insert(name).second)
      add(name, allocate("LayerNorm", with_place(name, slots) * tokens_per_column, 1), slots);
  }
}

/// Places gradients of norms at the end of SRAM, because a norm's backward reads them together with values that its
/// forward keeps.
void MemoryPlan::allocate_norm_gradients(const Spaces& s, const Graph& graph, int sram) {
  const int slots = s.hidden.slots();
  std::set<std::string> known;
  const auto use = [&](const std::string& name) {
    if (known.insert(name).second)
      add(name, allocate_above("deltas", with_place(name, slots) * tokens_per_column, sram), slots);
  };
  for (const network::NetworkOperation& op : graph.network.operations)
    if (op.kind == network::NetworkOperation::Kind::Norm) use(graph.gradient(op.out[0]));
  if (!known.empty()) use("delta_scaled");
}

/// Places values that forward keeps for backward. k and v are read together with another vector, so they lie at the end
/// of SRAM.
void MemoryPlan::allocate_kept(const Spaces& s, const Graph& graph, int sram) {
  std::set<std::string> above, known;
  for (const network::NetworkOperation& op : graph.network.operations)
    if (op.kind == network::NetworkOperation::Kind::Attention)
      above.insert({network::array_of(graph.network, op.in[1]), network::array_of(graph.network, op.in[2])});
  for (const network::NetworkOperation& op : graph.network.operations) {
    const std::string use = op.layer >= 0 ? "kept for backward" : "LayerNorm";
    if (op.kind == network::NetworkOperation::Kind::Norm && known.insert(network::xhat_of(op)).second) {
      add(network::xhat_of(op), allocate(use, std::int64_t{s.hidden.slots()} * tokens_per_column, 1), s.hidden.slots());
      add(network::rstd_of(op), allocate(use, tokens_per_column, 1), 1);
    }
    for (const int v : op.out) {
      const network::NetworkValue& value = graph.network.value(v);
      if (!value.kept || !known.insert(network::array_of(graph.network, v)).second) continue;  // a rotation is in place
      const bool up = above.contains(network::array_of(graph.network, v)), all = up && positions > 0;
      const std::int64_t slots = std::int64_t{s.of(value.role).slots()} * (all ? positions : 1);
      const std::int64_t elements = with_place(network::array_of(graph.network, v), slots) * tokens_per_column;
      if (all) kept_.insert(network::array_of(graph.network, v));
      add(network::array_of(graph.network, v), up ? allocate_above(use, elements, sram) : allocate(use, elements, 1),
          static_cast<int>(slots));
    }
  }
}

void MemoryPlan::allocate_streams(const Spaces& s, const Graph& graph) {
  const int slots = s.hidden.slots();
  std::vector<std::string> names;
  for (const bool gradients : {false, true}) {
    for (std::size_t n = 0; n < graph.network.values.size(); ++n) {
      const int v = static_cast<int>(n);
      if (!network::is_stream(graph.network, v) || (!gradients && graph.network.value(v).kept)) continue;
      const std::string name = gradients ? graph.gradient(v) : network::array_of(graph.network, v);
      if (std::ranges::count(names, name) > 0 || addresses_.contains(name)) continue;  // a norm's output has its own
      names.push_back(name);
      add(name, allocate("residual stream", with_place(name, slots) * tokens_per_column, 1), slots);
    }
  }
}

std::vector<RowConstants> MemoryPlan::row_constants(const ModelShape& model, const machine::WaferShape& wafer,
                                                    const Spaces& spaces) const {
  std::vector<RowConstants> rows = compiler::row_constants(model, wafer, spaces);
  if (class_table > 0)
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const auto word = [](int value) { return static_cast<std::uint16_t>(value); };
      rows[r].losses_at = word(class_table);
      rows[r].losses = {word(spaces.classes.count(static_cast<int>(r))),
                        word(class_label),
                        word(class_weight),
                        word(class_scale),
                        rows[r].words[kCntVocab],
                        word(label),
                        word(valid),
                        word(loss_scale)};
    }
  if (!shared) return rows;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (rows[r].words[kHeadCount] == 0) continue;  // a row without features of a head
    rows[r].share_at = static_cast<std::uint16_t>(share_row);
    rows[r].share = share_constants(*shared, wafer, padded_seq, static_cast<int>(r) - rows[r].words[kGroupFirst],
                                    rows[r].words[kHeadDim]);
  }
  return rows;
}

std::string MemoryPlan::map(const machine::WaferShape& w) const {
  std::string table;
  for (const Use& use : uses) table += fmt::format("  {:<40} {:>8} bytes\n", use.name, 2 * use.elements);
  return table + fmt::format("  {:<40} {:>8} bytes of {}\n", "total per PE", 2 * end, 2 * w.sram_elements());
}

}  // namespace weft::compiler
