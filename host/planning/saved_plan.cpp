#include "host/planning/saved_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <tuple>
#include <utility>

#include "host/checkpoint/file.hpp"
#include "host/config/plural.hpp"
#include "sw/compiler/model/tensors.hpp"
#include "sw/compiler/plan/plan_file.hpp"

namespace weft::planning {
namespace {

constexpr const char* kAgain = "compile again: --mode compile_only --save FILE";

/// Visits each setting that affects compilation, with the values of the configuration and the plan.
template <class Visit>
void settings(const config::Config& config, const compiler::Plan& plan, const Visit& visit) {
  const compiler::ModelShape m = config.group_model(), &n = plan.model;
  const machine::WaferShape w = config.group_wafer(), &v = plan.wafer;
  visit("wafer.row_groups", w.row_groups, v.row_groups);
  visit("model.hidden_size", m.hidden, n.hidden);
  visit("model.num_hidden_layers", m.layers, n.layers);
  visit("model.num_heads", m.heads, n.heads);
  visit("model.num_kv_heads", m.own_kv_heads(), n.own_kv_heads());
  visit("model.rotary_dim", m.rotary_dim, n.rotary_dim);
  visit("model.rotary_layout", m.rotary.layout, n.rotary.layout);
  visit("model.rope_theta", m.rotary.theta, n.rotary.theta);
  visit("model.rope_scaling", m.rotary.scaling, n.rotary.scaling);
  visit("model.rope_scaling_factor", m.rotary.factor, n.rotary.factor);
  visit("model.rope_low_freq_factor", m.rotary.low_turns, n.rotary.low_turns);
  visit("model.rope_high_freq_factor", m.rotary.high_turns, n.rotary.high_turns);
  visit("model.rope_original_length", m.rotary.original_length, n.rotary.original_length);
  visit("model.filter_size", m.filter, n.filter);
  visit("model.max_sequence_length", m.seq, n.seq);
  visit("model.vocab_size", m.vocab, n.vocab);
  visit("model.share_embedding_weights", m.tied, n.tied);
  visit("model.document_end", m.document_end, n.document_end);
  visit("train_input.use_vsl", m.vsl, n.vsl);
  visit("model.num_segments", m.segments, n.segments);
  visit("model.num_classes", m.classes, n.classes);
  visit("model.padding_token", m.padding_token, n.padding_token);
  visit("model.recompute", m.recompute, n.recompute);
  visit("model.layer_norm_epsilon", m.ln_eps, n.ln_eps);
  visit("model.label_smoothing", m.label_smoothing, n.label_smoothing);
  const auto visit_nonzero = [&](const char* key, const auto& here, const auto& there) {
    if (here != 0 || there != 0) visit(key, here, there);
  };
  visit_nonzero("model.residual_dropout_rate", m.residual_dropout, n.residual_dropout);
  visit_nonzero("model.embedding_dropout_rate", m.embedding_dropout, n.embedding_dropout);
  visit_nonzero("model.attention_dropout_rate", m.attention_dropout, n.attention_dropout);
  if (plan.drop_flag > 0) visit("runconfig.seed", m.dropout_seed, n.dropout_seed);
  visit("train_input.micro_batch_size", m.micro_batch, n.micro_batch);
  visit("wafer.rows", w.rows, v.rows);
  visit("wafer.cols", w.cols, v.cols);
  visit("wafer.lanes", w.lanes, v.lanes);
  visit("wafer.sram_kib", w.sram_kib, v.sram_kib);
  visit("wafer.valves", w.valves, v.valves);
  visit("wafer.psum_cycles", w.psum_cycles, v.psum_cycles);
  visit("wafer.sequence_columns", w.sequence_columns, v.sequence_columns);
  visit("wafer.attention", m.attention, n.attention);
}

}  // namespace

void save_plan(const config::Config& config, const compiler::Plan& plan, const std::string& file, std::ostream& out) {
  const std::vector<std::uint8_t> bytes = compiler::encode_plan({plan, network::network_text(config.model.network), 0});
  checkpoint::AtomicFile to(file);
  to.write(bytes);
  to.commit();
  out << fmt::format("\nplan    {}: {}, digest {:016x}\n", file, config::plural(bytes.size(), "byte"),
                     compiler::digest_in(bytes));
}

std::shared_ptr<const LoadedPlan> load_plan(config::Config& config, const std::string& file, std::ostream& out) {
  if (config.sparsity.is_dynamic())
    throw config.error("sparsity.algorithm",
                       fmt::format("{} updates masks, but {} has only one mask", config.sparsity.algorithm, file),
                       "leave --plan out: a plan is compiled for each mask update");
  compiler::SavedPlan saved = compiler::decode_plan(checkpoint::read_file(file), file);
  const machine::WaferShape& v = saved.plan.wafer;
  if (config.row_groups == 0) config.row_groups = v.row_groups;
  if (config.model.micro_batch == 0) config.model.micro_batch = saved.plan.sequences();
  if (config.wafer.valves == 0) config.wafer.valves = v.valves * v.row_groups;
  if (config.wafer.sequence_columns == 0) config.wafer.sequence_columns = v.sequence_columns;
  if (v.w_turns() && !config.wafer.turns)
    throw config.error(
        "wafer.backend",
        fmt::format("{}, but in {} W turns around, which the routers of boards do not support", config.backend, file),
        "compile again, for boards: --mode compile_only --backend fpga --save FILE");
  if (!v.turns) config.wafer.turns = false;
  if (network::network_text(config.model.network) != saved.network)
    throw config.error("model.network",
                       fmt::format("{} is not the network that {} was compiled from", config.model.network, file),
                       std::string("give that network's file, or ") + kAgain);
  saved.plan.model.network = config.model.network;  // the plan's path may be another machine's
  settings(config, saved.plan, [&](const char* key, const auto& here, const auto& there) {
    if (here != there)
      throw config.error(key, fmt::format("{}, but {} was compiled for {}", here, file, there),
                         fmt::format("write {}, or {}", there, kAgain));
  });
  const auto same = [](const compiler::TensorInfo& a, const compiler::TensorInfo& b) {
    return std::tie(a.name, a.dims, a.offset, a.size, a.decay, a.init_std, a.init_value, a.roles) ==
           std::tie(b.name, b.dims, b.offset, b.size, b.decay, b.init_std, b.init_value, b.roles);
  };
  if (!std::ranges::equal(saved.plan.tensors, compiler::model_tensors(config.model), same))
    throw Refusal(file, "has tensors that differ from those of its network", kAgain);
  out << fmt::format("plan    {}: digest {:016x}\n", file, saved.digest);
  return std::make_shared<const LoadedPlan>(LoadedPlan{file, std::move(saved.plan)});
}

std::uint64_t settings_digest(const config::Config& config) {
  compiler::Plan plan;
  plan.model = config.model;
  plan.wafer = config.group_wafer();
  std::string text = network::network_text(config.model.network);
  settings(config, plan,
           [&](const char* key, const auto& here, const auto&) { text += fmt::format("\n{}: {}", key, here); });
  text += fmt::format("\nW turns around: {}", config.wafer.w_turns());
  std::uint64_t digest = 0xcbf29ce484222325;  // FNV-1a
  for (const char letter : text) digest = (digest ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
  return digest;
}

compiler::Plan plan_with_masks(const config::Config& config, const LoadedPlan& loaded, const compiler::Mask& mask) {
  if (loaded.plan.mask != mask)
    throw config.error("sparsity.sparsity",
                       fmt::format("keeps weights other than those that {} was compiled for", loaded.file),
                       std::string("take the settings of sparsity that it had, or ") + kAgain);
  return loaded.plan;
}

}  // namespace weft::planning
