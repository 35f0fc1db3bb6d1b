#include "sw/compiler/check/check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "sw/base/refusal.hpp"
#include "sw/base/token_id.hpp"
#include "sw/compiler/check/hints.hpp"
#include "sw/compiler/check/misfits.hpp"
#include "sw/compiler/graph/graph.hpp"

namespace weft::compiler {
namespace {

void require(bool ok, const char* key, const std::string& problem, const std::string& hint) {
  if (!ok) throw Refusal(key, problem, hint);
}

void in_range(const char* key, int value, int least, int most, const char* why = "") {
  require(value >= least && value <= most, key, fmt::format("{} is not in {}..{}{}", value, least, most, why),
          fmt::format("use {}", std::clamp(value, least, most)));
}

/// The nearest numbers that divide `whole`, as "3", "3 or 4".
std::string divisors_near(int number, int whole) {
  int below = std::clamp(number, 1, whole), above = below;
  while (whole % below != 0) --below;
  while (whole % above != 0) ++above;
  return below == above ? fmt::format("{}", below) : fmt::format("{} or {}", below, above);
}

}  // namespace

void check_shapes(const ModelShape& m, const machine::WaferShape& w) {
  require(w.lanes == 2 || w.lanes == 4 || w.lanes == 8 || w.lanes == 16, "wafer.lanes",
          fmt::format("{} is not 2, 4, 8 or 16", w.lanes), "use 4");
  require(w.psum_cycles == 2 || w.psum_cycles == 4, "wafer.psum_cycles", fmt::format("{} is not 2 or 4", w.psum_cycles),
          "use 2, or 4 for a ring that copies and resets");
  in_range("wafer.rows", w.rows, 1, machine::WaferShape::kMostRows,
           " (a weight's index names a row and a place there in 16 bits)");
  in_range("wafer.cols", w.cols, 1, machine::WaferShape::kMostCols);
  in_range("wafer.sequence_columns", w.sequence_columns, 0, w.cols, " (wafer.cols)");
  if (w.sequence_columns > 1 && w.cols % w.sequence_columns == 1)
    throw Refusal(
        "wafer.sequence_columns",
        fmt::format("{} leaves one of {} columns (wafer.cols) over, and a ring needs two", w.sequence_columns, w.cols),
        fmt::format("use {}", divisors_near(w.sequence_columns, w.cols)));
  in_range("wafer.valves", w.valves, 1, w.rows, " (wafer.rows)");
  in_range("wafer.sram_kib", w.sram_kib, 1, 128, " (addresses have 16 bits)");
  constexpr auto kRegister = " (a PE counts features in 16 bits)";
  in_range("model.hidden_size", m.hidden, 1, 65535, kRegister);
  if (m.heads < 1 || m.hidden % m.heads != 0)
    throw Refusal("model.num_heads", fmt::format("{} does not divide hidden_size {}", m.heads, m.hidden),
                  fmt::format("use {}", divisors_near(m.heads, m.hidden)));
  in_range("model.num_kv_heads", m.kv_heads, 0, m.heads, " (model.num_heads)");
  if (m.heads % m.own_kv_heads() != 0)
    throw Refusal("model.num_kv_heads", fmt::format("{} does not divide num_heads {}", m.kv_heads, m.heads),
                  fmt::format("use {}", divisors_near(m.kv_heads, m.heads)));
  constexpr int kMost = HeadCopies::kMost;
  if (const int copies = m.kv_copies().times; copies > kMost)
    throw Refusal("model.num_kv_heads",
                  fmt::format("{} heads of queries share a head of keys and values, and {} can", copies, kMost),
                  fmt::format("use {}", divisors_near((m.heads + kMost - 1) / kMost, m.heads)));
  const int dim = m.hidden / m.heads;
  in_range("model.rotary_dim", m.rotary_dim, 0, dim - dim % 2, " (pairs of a head's features)");
  if (m.rotary_dim % 2 != 0 || (m.rotary_dim > 0 && dim % 2 != 0))
    throw Refusal("model.rotary_dim", fmt::format("{} of {} features of a head do not form pairs", m.rotary_dim, dim),
                  "use an even number, and heads of an even number of features");
  if (m.rotary.scaling == "llama3" && m.rotary.low_turns >= m.rotary.high_turns)
    throw Refusal("model.rope_low_freq_factor",
                  fmt::format("{} is not below rope_high_freq_factor {}", m.rotary.low_turns, m.rotary.high_turns),
                  "use 1 and 4, as LLaMA 3");
  in_range("model.filter_size", m.filter, 1, 65535, kRegister);
  in_range("model.vocab_size", m.vocab, 2, kMostTokens,
           " (5 blocks, in which a token is an index of 16 bits and one value is not a token)");
  in_range("model.document_end", m.document_end, -1, m.vocab - 1,
           " (tokens, and -1: attention is over the whole sample)");
  if (m.vsl && m.document_end >= 0)
    throw Refusal("train_input.use_vsl", "samples say where documents end, and so does model.document_end",
                  "leave model.document_end out");
  in_range("model.num_segments", m.segments, 0, kMostSegments);
  in_range("model.num_classes", m.classes, 0, kMostClasses);
  in_range("model.padding_token", m.padding_token, -1, m.vocab - 1, " (tokens, and -1: no padding)");
  in_range("model.max_sequence_length", m.seq, 1, 65535);
  in_range("model.num_hidden_layers", m.layers, 1, 4096);
  in_range("train_input.micro_batch_size", m.micro_batch, 1, 65535);
}

namespace {

void check_turns(const ModelShape& m) {
  const bool turns = graph_of(m)->has(network::NetworkOperation::Kind::Rotary);
  if (turns == (m.rotary_dim > 0)) return;
  const int dim = m.hidden / m.heads;
  throw Refusal("model.rotary_dim",
                fmt::format("{}, but network {} {}", m.rotary_dim, m.network,
                            turns ? "rotates features by position" : "has no rotary positions"),
                turns && dim % 2 != 0
                    ? fmt::format("first use heads of an even number of features: model.hidden_size {} or "
                                  "model.num_heads, {} features a head now",
                                  m.hidden + m.heads, dim)
                    : fmt::format("use {}", turns ? dim : 0));
}

/// Rejects groups of heads for a network whose tensors have none.
void check_groups(const ModelShape& m) {
  if (m.own_kv_heads() == m.heads) return;
  const auto graph = graph_of(m);
  for (const network::NetworkTensor& tensor : graph->network.tensors)
    for (const network::NetworkTensor::Axis& axis : tensor.shape)
      if (axis.role == network::Role::KvHead) return;
  throw Refusal("model.num_kv_heads",
                fmt::format("{}, but in network {} each of the {} heads has keys and values of its own", m.kv_heads,
                            m.network, m.heads),
                "leave it out, or use llama, or a network file with kv_head in the shapes of keys and values");
}

void check_segments(const ModelShape& m) {
  const bool adds = graph_of(m)->has_segments();
  if (adds == m.has_segments()) return;
  throw Refusal(
      "model.num_segments",
      fmt::format("{}, but network {} {} embeddings of segments", m.segments, m.network, adds ? "adds" : "has no"),
      fmt::format("use {}", adds ? 2 : 0));
}

/// Rejects numbers of classes that do not belong to the network's losses.
void check_classes(const ModelShape& m) {
  using Kind = network::NetworkOperation::Kind;
  const auto graph = graph_of(m);
  const bool numbers = graph->has(Kind::SquaredError), classes = graph->has(Kind::ClassLoss);
  if (numbers ? m.classes == 1 : classes ? m.classes >= 2 : m.classes == 0) {
    if (m.label_smoothing == 0 || graph->has(Kind::Loss)) return;
    throw Refusal("model.label_smoothing", fmt::format("network {} has no loss of tokens", m.network), "leave it out");
  }
  throw Refusal("model.num_classes",
                fmt::format("{}, but network {} {}", m.classes, m.network,
                            numbers   ? "compares one number of a token"
                            : classes ? "compares classes"
                                      : "has no loss of classes"),
                fmt::format("use {}", numbers   ? "1"
                                      : classes ? "2 or more"
                                                : "0"));
}

/// Throws one Refusal with all reasons.
[[noreturn]] void refuse(const std::vector<std::string>& reasons, const std::string& hint) {
  const std::string all = fmt::format("{}", fmt::join(reasons, "; "));
  const std::size_t key = all.find(": ");
  throw Refusal(all.substr(0, key), all.substr(key + 2), hint);
}

}  // namespace

void check(const ModelShape& m, const machine::WaferShape& w) {
  check_shapes(m, w);
  check_turns(m);
  check_groups(m);
  check_segments(m);
  check_classes(m);
  const std::vector<std::string> reasons = misfits(m, w);
  if (reasons.empty()) return;
  ModelShape stored = m;
  stored.attention = "stored";
  const bool helps = m.attention != stored.attention && misfits(stored, w).empty();
  refuse(reasons, helps ? "use stored" : settings_that_fit(m, w));
}

void check_decode(const ModelShape& m, const machine::WaferShape& w) {
  check_shapes(m, w);
  check_turns(m);
  check_groups(m);
  check_segments(m);
  check_classes(m);
  const std::vector<std::string> reasons = decode_misfits(m, w);
  if (!reasons.empty()) refuse(reasons, "use a smaller model.max_sequence_length, or runconfig.use_cache auto");
}

}  // namespace weft::compiler
