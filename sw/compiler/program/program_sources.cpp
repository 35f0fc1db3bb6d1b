#include "sw/compiler/program/program_sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "kernel_sources.hpp"
#include "sw/base/refusal.hpp"
#include "sw/network/arrays.hpp"
#include "sw/network/operations.hpp"

namespace weft::compiler {
namespace {

/// Files that only save time, and the one of which a program without fallbacks may need no kernel.
constexpr std::string_view kFaster = "gradient_norm.s", kInterleaved = "interleaved.s", kGemm = "gemm.s";
/// The kernel of kInterleaved that saves the least time.
constexpr std::string_view kLeast = "affine_interleaved";
/// The file of kernels that the host calls.
constexpr std::string_view kSystem = "system.s";

/// "far.s" of "sw/kernels/far.s".
std::string_view file_of(const assembler::Source& source) { return source.name.substr(source.name.rfind('/') + 1); }

/// Returns true if one of a file's kernels is called.
bool has_any(std::string_view file, const std::set<std::string>& called) {
  const assembler::Source& source = *std::ranges::find(kernels::kKernelSources, file, file_of);
  return std::ranges::any_of(assembler::declared_kernels({&source, 1}),
                             [&](const assembler::Kernel& kernel) { return called.contains(kernel.name); });
}

/// Returns true for the kernels of a function or of an operation that the network does not have.
bool is_of_other_networks(std::string_view file, const Graph& graph) {
  for (const auto& function : network::built_in_functions())
    if (file == function->name + ".s")
      return std::ranges::none_of(graph.network.operations, [&](const auto& op) { return op.function == function; });
  return std::ranges::any_of(network::all_operations(), [&](const network::OperationRules* rules) {
    return file == fmt::format("{}.s", rules->name) && !graph.has(rules->kind);
  });
}

std::set<std::string> united(const Kernels& kernels) {
  std::set<std::string> all = kernels.called;
  all.insert(kernels.fallbacks.begin(), kernels.fallbacks.end());
  return all;
}

/// The source without kernels that are not called. Lines keep their numbers.
std::string called_only(const assembler::Source& source, const std::set<std::string>& called) {
  std::string text;
  bool kept = true;
  for (std::string_view left = source.text; !left.empty();) {
    const std::string_view line = left.substr(0, left.find('\n'));
    left.remove_prefix(std::min(left.size(), line.size() + 1));
    const std::string_view word = line.substr(0, line.find(' '));
    if (word == ".kernel") {
      const std::string_view rest = line.substr(word.size() + 1);
      kept = called.contains(std::string(rest.substr(0, rest.find(' '))));
    } else if (word == ".routine" || word == ".macro") {
      kept = true;
    }
    if (kept) text += line;
    text += '\n';
  }
  return text;
}

void leave_out(std::vector<assembler::Source>& sources, std::string_view file) {
  std::erase_if(sources, [=](const assembler::Source& source) { return file_of(source) == file; });
}

bool has_room(const std::vector<assembler::Source>& sources) {
  return assembler::instruction_count(sources) <= machine::WaferShape::kIDepth;
}

/// Leaves out kernels that are not `needed`, and kGemm if none is whose outputs come one at a time. `texts` owns the
/// shorter sources.
void keep_only(std::vector<assembler::Source>& sources, const std::set<std::string>& needed,
               std::deque<std::string>& texts) {
  for (assembler::Source& source : sources)
    if (file_of(source) != kSystem) source.text = texts.emplace_back(called_only(source, needed));
  if (std::ranges::none_of(needed, [](const std::string& kernel) {
        return (kernel.starts_with("gemm") || kernel.starts_with("embed")) &&
               kernel.find("_interleaved") == std::string::npos;
      }))
    leave_out(sources, kGemm);
}

/// Leaves out what sources_of() says, except interleaved outputs, until the sources have room; all of it if they have
/// none.
void make_room(std::vector<assembler::Source>& sources, const Kernels& kernels, std::deque<std::string>& texts) {
  if (has_room(sources)) return;
  std::set<std::string> needed = united(kernels);
  keep_only(sources, needed, texts);
  if (has_room(sources)) return;
  needed.erase(std::string(kLeast));
  keep_only(sources, needed, texts);
  if (has_room(sources)) return;
  leave_out(sources, kFaster);
  if (has_room(sources)) return;
  needed = kernels.called;
  needed.erase(std::string(kLeast));
  keep_only(sources, needed, texts);
}

/// Settings of this model that need kernels, as the beginning of a hint.
std::string settings_with_kernels(const ModelShape& m, const machine::WaferShape& w, const MemoryPlan& memory) {
  std::string ways;
  if (m.has_documents()) ways += fmt::format("leave {} out, or ", document_key(m));
  if (m.label_smoothing != 0) ways += "leave model.label_smoothing out, or ";
  if (m.residual_dropout != 0 || m.embedding_dropout != 0)
    ways += "leave model.residual_dropout_rate and model.embedding_dropout_rate out, or ";
  if (m.attention_dropout != 0) ways += "leave model.attention_dropout_rate out, or ";
  if (memory.blocks > 1) ways += "use a model.vocab_size of at most 65535, or ";
  if (w.sequence_columns > 1) ways += "use sequences that fit one column, or ";
  return ways;
}

}  // namespace

std::vector<assembler::Source> sources_of(const Graph& graph, const ModelShape& m, const machine::WaferShape& w,
                                          const MemoryPlan& memory, const Kernels& kernels,
                                          std::deque<std::string>& texts) {
  const std::set<std::string> called = united(kernels);
  using Kind = network::NetworkOperation::Kind;
  const bool attends = graph.has(Kind::Attention), turns = graph.has(Kind::Rotary), documents = memory.document > 0,
             causal = graph.attention(true) != nullptr, full = graph.attention(false) != nullptr;
  const auto has_norm = [&](bool centers) {
    return std::ranges::any_of(graph.network.operations,
                               [=](const auto& op) { return op.kind == Kind::Norm && op.centers == centers; });
  };
  const bool replaces = std::ranges::any_of(graph.network.operations, [&](const auto& op) {
    return op.kind == Kind::Norm && network::replaces_gradient(graph.network, op);
  });
  const bool one = memory.positions > 0, several = !one && w.sequence_columns > 1, short_sequences = !one && !several,
             shared = memory.shared.has_value(), long_sequences = several && !shared,
             whole_turns = (attends && long_sequences) || (full && short_sequences),
             drops = !one && graph.drops_weights(),
             holds_turn = memory.padded_seq * memory.padded_seq <= machine::WaferShape::kRDepth * w.lanes;
  struct Only {
    std::string_view file;
    bool wanted;
  };
  const Only only[] = {{kInterleaved, has_any(kInterleaved, called)},
                       {"far.s", has_any("far.s", called)},
                       {"far_rotating.s", has_any("far_rotating.s", called)},
                       {"far_affine.s", has_any("far_affine.s", called)},
                       {kFaster, has_any(kFaster, called)},
                       {"vocabulary.s", memory.blocks > 1 || memory.segment > 0},
                       {"layernorm.s", graph.has(Kind::Norm)},
                       {"layernorm_in_place.s", replaces},
                       {"heads.s", attends || turns},
                       {"attention.s", causal && short_sequences && !documents},
                       {"attention_documents.s", causal && short_sequences && documents},
                       {"attention_sums.s", causal && short_sequences},
                       {"attention_back.s", causal && short_sequences},
                       {"attention_travel.s", attends && several},
                       {"attention_long.s", attends && long_sequences},
                       {"attention_long_scores.s", attends && long_sequences},
                       {"attention_long_probs.s", causal && long_sequences && !documents},
                       {"attention_long_documents.s", causal && long_sequences && documents},
                       {"attention_long_back.s", attends && long_sequences},
                       {"attention_full.s", full && short_sequences},
                       {"attention_long_full.s", full && long_sequences},
                       {"attention_long_numbers.s", long_sequences && documents},
                       {"turn.s", whole_turns && holds_turn},
                       {"tiles.s", whole_turns && !holds_turn},
                       {"attention_dropout.s", drops},
                       {"dropout_mix.s", drops || graph.has(Kind::Dropout)},
                       {"attention_dropout_short.s", drops && short_sequences},
                       {"attention_dropout_long.s", drops && long_sequences},
                       {"attention_shared.s", shared},
                       {"attention_shared_scores.s", shared},
                       {"attention_shared_probs.s", shared},
                       {"attention_shared_sums.s", shared},
                       {"rotary.s", turns && !one},
                       {"layernorm_one.s", one && has_norm(true)},
                       {"rmsnorm.s", has_norm(false)},
                       {"one_position.s", one && attends},
                       {"loss.s", graph.has(Kind::Loss) && memory.token_table == 0},
                       {"one_count.s", !memory.counts},
                       {"counts.s", memory.counts},
                       {"one_block.s", memory.blocks == 1},
                       {"blocks.s", memory.blocks > 1},
                       {"one_hot.s", m.label_smoothing == 0},
                       {"smooth.s", m.label_smoothing != 0}};
  std::vector<assembler::Source> sources;
  for (const assembler::Source& source : kernels::kKernelSources) {
    const auto known = std::ranges::find(only, file_of(source), &Only::file);
    if (known == std::end(only) ? !is_of_other_networks(file_of(source), graph) : known->wanted)
      sources.push_back(source);
  }
  if (!graph.network.kernels.empty())
    sources.push_back({texts.emplace_back(graph.network.file), texts.emplace_back(graph.network.kernels)});
  for (assembler::Source& source : sources)
    if (file_of(source) == kInterleaved) source.text = texts.emplace_back(called_only(source, called));
  const std::vector<assembler::Source> all = sources;
  make_room(sources, kernels, texts);
  if (!has_room(sources) && !one) {
    sources = all;
    leave_out(sources, kInterleaved);
    make_room(sources, {.called = called, .fallbacks = {}}, texts);
  }
  if (const int count = assembler::instruction_count(sources); count > machine::WaferShape::kIDepth)
    throw Refusal(
        "model.network",
        fmt::format("{}, a vocabulary of {} and sequences over {} columns call kernels of {} instructions, and "
                    "a PE has room for {}",
                    m.network, m.vocab, w.sequence_columns, count, machine::WaferShape::kIDepth),
        fmt::format("{}use fewer kinds of element-wise functions, norms and attention in the network",
                    settings_with_kernels(m, w, memory)));
  return sources;
}

}  // namespace weft::compiler
