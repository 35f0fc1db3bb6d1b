#include "sw/compiler/check/misfits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "sw/compiler/graph/decode_graph.hpp"
#include "sw/compiler/graph/graph.hpp"
#include "sw/compiler/memory/memory_plan.hpp"
#include "sw/compiler/placement/blocks.hpp"

namespace weft::compiler {
namespace {

/// 49152 as "49,152".
std::string grouped(std::uint64_t n) {
  std::string text = fmt::format("{}", n);
  for (std::size_t i = text.size(); i > 3;) text.insert(i -= 3, ",");
  return text;
}

/// "the whole = part + part + ...", the largest part first.
std::string by_use(const MemoryPlan& p) {
  auto uses = p.uses;
  std::stable_sort(uses.begin(), uses.end(), [](const auto& a, const auto& b) { return a.elements > b.elements; });
  std::string text;
  for (const MemoryPlan::Use& use : uses)
    text += fmt::format("{}{} {}", text.empty() ? "" : " + ", use.name, grouped(2 * use.elements));
  return text;
}

/// The misfits for a number of columns that share a sequence.
std::vector<std::string> misfits_of(const ModelShape& m, const machine::WaferShape& w, const Spaces& s,
                                    const MemoryPlan& p) {
  std::vector<std::string> reasons;
  const int most = most_tokens(w), longest = most_sequence(w);
  const std::int64_t tokens = std::int64_t{p.sequences} * p.padded_seq;
  if (p.padded_seq > longest) {
    reasons.push_back(fmt::format(
        "model.max_sequence_length: a sequence of {} lies in {}, whose accumulator file holds {} tokens", m.seq,
        w.sequence_columns == 1 ? "one column" : fmt::format("{} columns, each of them", w.sequence_columns), longest));
  } else if (tokens > most) {
    reasons.push_back(
        fmt::format("train_input.micro_batch_size: {} sequences of {} on wafer.cols {} are {} tokens a "
                    "column, whose accumulator file holds {}",
                    m.micro_batch, m.seq, w.cols, tokens, most));
  }
  const auto there = static_cast<std::uint64_t>(w.sram_elements());
  if (p.end > w.sram_elements()) {
    reasons.push_back(fmt::format("wafer.sram_kib: every PE needs {} bytes of SRAM and has {} ({} KiB): {}",
                                  grouped(2 * p.end), grouped(2 * there), w.sram_kib, by_use(p)));
  }
  if (m.attention == "shared" && !p.shared && p.positions == 0)
    reasons.push_back(fmt::format(
        "wafer.attention: rows cannot share the keys of {} heads on {} rows with wafer.sequence_columns {}{}", m.heads,
        w.rows, w.sequence_columns,
        m.has_documents() ? fmt::format(" and {}", document_key(m))
        : p.document > 0  ? " and attention that is not causal"
        : p.drop_keys > 0 ? " and dropout of their weights"
                          : ""));
  if (!reasons.empty()) return reasons;  // addresses of arrays are invalid

  const int places = 1 << w.row_shift();
  if (p.blocks > kMostBlocks)
    reasons.push_back(fmt::format(
        "wafer.rows: {} rows leave {} of the 16 bits of a weight's index: {} blocks of {} places in a PE, and "
        "model.vocab_size needs {}",
        w.rows, w.row_shift(), kMostBlocks, grouped(static_cast<std::uint64_t>(block_slots(w))),
        grouped(static_cast<std::uint64_t>(s.vocab.slots()))));
  const std::pair<const char*, const Space*> named[] = {{"model.filter_size", &s.filter},
                                                        {"model.hidden_size", &s.hidden},
                                                        {"model.num_heads", &s.head},
                                                        {"model.max_sequence_length", &s.position}};
  for (const auto& [key, space] : named) {
    if (space->slots() > places)
      reasons.push_back(fmt::format(
          "wafer.rows: {} rows leave {} of the 16 bits of a weight's index: {} places in a PE, and {} needs {}", w.rows,
          w.row_shift(), grouped(static_cast<std::uint64_t>(places)), key,
          grouped(static_cast<std::uint64_t>(space->slots()))));
  }
  return reasons;
}

/// A number of columns that share a sequence, and the reasons against it.
struct Sharing {
  machine::WaferShape wafer;
  std::vector<std::string> reasons;
};

/// The number of columns that `asked` has; if that is 0, the smallest number that fits, or else the one that leaves
/// most room.
Sharing share(const ModelShape& m, const machine::WaferShape& asked) {
  const Spaces spaces(m, asked.rows);
  const auto graph = graph_of(m);
  Sharing roomiest;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  const int first = std::max(1, asked.sequence_columns), last = asked.sequence_columns > 0 ? first : asked.cols;
  for (int columns = first; columns <= last; ++columns) {
    if (columns != asked.sequence_columns && asked.cols % columns != 0) continue;
    machine::WaferShape w = asked;
    w.sequence_columns = columns;
    const MemoryPlan plan(m, w, spaces, *graph);
    std::vector<std::string> reasons = misfits_of(m, w, spaces, plan);
    if (reasons.empty()) return {w, {}};
    if (plan.end < least) least = plan.end, roomiest = {w, std::move(reasons)};
  }
  return roomiest;
}

}  // namespace

machine::WaferShape with_sequence_columns(const ModelShape& m, const machine::WaferShape& asked) {
  return asked.sequence_columns > 0 ? asked : share(m, asked).wafer;
}

std::vector<std::string> decode_misfits(const ModelShape& model, const machine::WaferShape& asked) {
  const ModelShape m = decode_model(model, asked);
  const machine::WaferShape w = decode_wafer(asked);
  const Spaces spaces(m, w.rows);
  return misfits_of(m, w, spaces, MemoryPlan(m, w, spaces, decode_graph(m), m.seq));
}

std::vector<std::string> misfits(const ModelShape& m, const machine::WaferShape& w) { return share(m, w).reasons; }

}  // namespace weft::compiler
