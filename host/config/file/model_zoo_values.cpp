#include "host/config/file/model_zoo_values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>

#include "host/config/keys/keys.hpp"
#include "host/config/keys/model_zoo.hpp"

namespace weft::config {
namespace {

constexpr std::string_view kAnyValue = "*";

/// Values equivalent to what Weft does, separated by |. `*`: any value of a key that does not affect results and is
/// only noted; `gpt2:` before a value: only for that network; `=key`: the value of that Weft key.
struct Same {
  std::string_view key, values;
};

constexpr Same kSame[] = {
    {"train_input.data_processor", "GptHDF5DataProcessor|GptHDF5MapDataProcessor"},
    {"train_input.vocab_size", "=model.vocab_size"},
    {"train_input.max_sequence_length", "=model.max_sequence_length"},
    {"train_input.num_workers", "*"},
    {"train_input.prefetch_factor", "*"},
    {"train_input.persistent_workers", "*"},
    {"train_input.use_multiple_workers", "*"},
    {"train_input.use_worker_cache", "*"},
    {"train_input.n_parallel_reads", "*"},
    {"train_input.repeat", "true"},
    {"train_input.add_special_tokens", "false"},
    {"train_input.mixed_precision", "true"},
    {"eval_input.shuffle", "false"},
    {"eval_input.shuffle_seed", "*"},
    {"eval_input.repeat", "false"},
    {"eval_input.drop_last", "false"},
    {"model.mixed_precision", "true"},
    {"model.use_bfloat16", "true"},
    {"model.fp16_type", "bfloat16"},
    {"model.attention_softmax_fp32", "*"},
    {"model.boundary_casting", "*"},
    {"model.precision_opt_level", "*"},
    {"model.dropout_rate", "0"},
    {"model.nonlinearity",
     "gpt2:gelu_new|gpt2:gelu_fast|gpt2:gelu_pytorch_tanh|gptj:gelu_new|gptj:gelu_fast|gptj:gelu_pytorch_tanh|cerebras_"
     "gpt:gelu"},
    {"model.use_position_embedding", "true"},
    {"model.position_embedding_type", "gpt2:learned|cerebras_gpt:learned|gptj:rotary|llama:rotary"},
    {"model.attention_type", "scaled_dot_product"},
    {"model.attention_module", "aiayn_attention"},
    {"model.use_projection_bias_in_attention", "gpt2:true|cerebras_gpt:true|gptj:false|llama:false"},
    {"model.use_ffn_bias_in_attention", "gpt2:true|cerebras_gpt:true|gptj:false|llama:false"},
    {"model.use_ffn_bias", "gpt2:true|cerebras_gpt:true|gptj:true|llama:false"},
    {"model.use_bias_in_output", "gpt2:false|cerebras_gpt:false|gptj:true|llama:false"},
    {"model.use_untied_layer_norm", "gptj:false"},
    {"model.fixed_sparse_attention", "false"},
    {"model.attention_kernel", "default"},
    {"model.num_kv_groups", "=model.num_heads"},
    {"model.pos_scaling_factor", "1"},
    {"model.rotary_base", "gpt2:*|cerebras_gpt:*|gptj:=model.rope_theta|llama:=model.rope_theta"},
    {"model.alibi_trainable_slopes", "false"},
    {"model.num_relative_attention_buckets", "*"},
    {"model.norm_type", "gpt2:layernorm|cerebras_gpt:layernorm|gptj:layernorm|llama:rmsnorm"},
    {"model.embedding_layer_norm", "false"},
    {"model.embeddings_scale", "1"},
    {"model.output_logits_scale", "1"},
    {"model.output_logits_alpha", "1"},
    {"model.scale_qk_dot_by_d", "false"},
    {"model.scale_qk_dot_by_layer_idx", "false"},
    {"model.model_name", "gpt2:gpt2|gpt2:gpt3|cerebras_gpt:gpt2|cerebras_gpt:gpt3|gptj:gptj|llama:llama"},
    {"model.name", "gpt2:gpt2|gpt2:gpt3|cerebras_gpt:gpt2|cerebras_gpt:gpt3|gptj:gptj|llama:llama"},
    {"model.initializer_range", "0.02"},
    {"model.tf_summary", "false"},
    {"optimizer.loss_scaling_factor", "*"},
    {"optimizer.initial_loss_scale", "*"},
    {"optimizer.min_loss_scale", "*"},
    {"optimizer.max_loss_scale", "*"},
    {"optimizer.steps_per_increase", "*"},
    {"optimizer.grad_accum_steps", "1"},
    {"optimizer.amsgrad", "false"},
    {"optimizer.maximize", "false"},
    {"optimizer.log_summaries", "*"},
    {"runconfig.grad_accum_steps", "1"},
    {"runconfig.gradient_accumulation_steps", "1"},
    {"runconfig.enable_distributed", "false"},
    {"runconfig.multireplica", "false"},
    {"runconfig.precision_opt_level", "*"},
    {"runconfig.use_cs_grad_accum", "*"},
    {"runconfig.use_appliance_data", "*"},
    {"runconfig.compile_only", "false"},
    {"runconfig.validate_only", "false"},
    {"runconfig.is_pretrained_checkpoint", "true"},
    {"runconfig.autoload_last_checkpoint", "true"},
    {"runconfig.save_losses", "*"},
    {"runconfig.transfer_processes", "*"},
    {"runconfig.num_workers_per_csx", "*"},
    {"runconfig.num_act_servers", "*"},
    {"runconfig.sync_batchnorm", "*"},
    {"runconfig.dist_backend", "*"},
    {"runconfig.init_method", "env://"},
    {"runconfig.check_loss_values", "true"},
    {"runconfig.target_device", "CSX"},
    {"runconfig.drop_data", "false"},
    {"runconfig.log_level", "*"},
    {"runconfig.wsc_log_level", "*"},
    {"trainer.init.callbacks", "*"},
    {"trainer.init.loggers", "*"},
    {"runconfig.disable_strict_checkpoint_loading", "false"},
};

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::optional<double> number(const std::string& text) {
  double value = 0;
  const char *begin = text.data() + (text.starts_with('+') ? 1 : 0), *end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(begin, end, value);
  return error == std::errc{} && rest == end && !text.empty() ? std::optional(value) : std::nullopt;
}

bool equal(const std::string& value, const std::string& wanted) {
  const auto a = number(value), b = number(wanted);
  return a && b ? *a == *b : lower(value) == lower(wanted);
}

/// Row of a key; keys of eval_input fall back to train_input's.
std::string_view values_of(const std::string& name) {
  const auto find = [](std::string_view key) {
    const auto* row = std::ranges::find(kSame, key, &Same::key);
    return row == std::end(kSame) ? std::string_view() : row->values;
  };
  constexpr std::string_view kEval = "eval_input.";
  if (const std::string_view own = find(name); !own.empty()) return own;
  return name.starts_with(kEval) ? find("train_input." + name.substr(kEval.size())) : std::string_view();
}

/// True for a normal distribution with mean 0 and this deviation.
bool is_normal(const YAML::Node& value, double deviation) {
  if (!value.IsMap() || !value["name"] || lower(value["name"].Scalar()) != "normal") return false;
  for (const auto& entry : value) {
    const std::string key = entry.first.Scalar();
    const auto has = entry.second.IsScalar() ? number(entry.second.Scalar()) : std::nullopt;
    if (key == "name") continue;
    if (!has || (key != "mean" && key != "std")) return false;
    if (std::fabs(*has - (key == "std" ? deviation : 0)) > 1e-6 * deviation) return false;
  }
  return static_cast<bool>(value["std"]);
}

}  // namespace

bool ModelZooKeys::has(const std::string& name) {
  const std::string_view own = own_key(name);
  return std::ranges::find(config_keys(), own, &Key<Config>::name) == config_keys().end() &&
         (find_lacking_key(name) != nullptr || values_of(name) == kAnyValue);
}

void ModelZooKeys::add(const std::string& name, const YAML::Node& value, const Place& place) {
  std::erase_if(entries_, [&](const Entry& entry) { return entry.name == name; });  // the last value wins
  entries_.push_back({name, value, place});
}

const ModelZooKeys::Entry* ModelZooKeys::find(std::string_view name) const {
  const auto at = std::ranges::find(entries_, name, &Entry::name);
  return at == entries_.end() ? nullptr : &*at;
}

/// Accepts the mean over the tokens that count. With full samples, the sum divided by sequences and their tokens is
/// equivalent.
bool ModelZooKeys::is_same_loss(const Config& config) const {
  const Entry *scaling = find("model.loss_scaling"), *weight = find("model.loss_weight");
  const std::string how =
      scaling != nullptr && scaling->value.IsScalar() ? lower(scaling->value.Scalar()) : "num_tokens";
  const auto times =
      weight != nullptr && weight->value.IsScalar() ? number(weight->value.Scalar()) : std::optional(1.0);
  if (!times) return false;
  return how == "num_tokens" ? *times == 1 : how == "batch_size" && std::fabs(*times * config.model.seq - 1) < 1e-3;
}

bool ModelZooKeys::is_same(const Entry& entry, Config& config) const {
  const YAML::Node& value = entry.value;
  if (value.IsNull() || ((value.IsMap() || value.IsSequence()) && value.size() == 0)) return true;  // unset
  if (entry.name == "model.loss_scaling" || entry.name == "model.loss_weight") return is_same_loss(config);
  if (entry.name == "model.initializer" || entry.name == "model.embedding_initializer") return is_normal(value, 0.02);
  if (entry.name == "model.output_layer_initializer")
    return is_normal(value, 0.02 / std::sqrt(2.0 * std::max(config.model.layers, 1)));
  std::string_view rest = values_of(entry.name);
  if (rest.empty() || (!value.IsScalar() && rest != kAnyValue)) return false;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('|'), rest.size());
    std::string_view one = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (const std::size_t colon = one.find(':'); colon != one.npos && !one.substr(colon).starts_with("://")) {
      if (config.model.network != one.substr(0, colon)) continue;
      one.remove_prefix(colon + 1);
    }
    if (one == kAnyValue) {
      config.places.insert_or_assign(entry.name, entry.place);
      return true;
    }
    if (one.starts_with('=')) {
      const auto& key = *std::ranges::find(config_keys(), one.substr(1), &Key<Config>::name);
      if (equal(value.Scalar(), value_text(key.slot(config)))) return true;
    } else if (equal(value.Scalar(), std::string(one))) {
      return true;
    }
  }
  return false;
}

void ModelZooKeys::settle(Config& config, ErrorList& errors) const {
  const char* const kBetas[] = {"optimizer.beta1", "optimizer.beta2"};
  for (const Entry& entry : entries_) {
    const auto* beta = std::ranges::find(kBetas, entry.name);
    const bool beside = config.places.contains("optimizer.betas");
    const auto rate = beta != std::end(kBetas) && entry.value.IsScalar() ? number(entry.value.Scalar()) : std::nullopt;
    if (rate && *rate >= 0 && *rate < 1 && !beside && config.optimizer.betas.size() == 2) {
      config.optimizer.betas[static_cast<std::size_t>(beta - kBetas)] = *rate;
    } else if (!is_same(entry, config)) {
      errors.collect([&] { throw refuse_model_zoo_key(entry.name, entry.place); });
    }
  }
}

std::vector<std::string> notes_on_names(const Config& config) {
  std::vector<std::string> notes, idle;
  for (const auto& [name, place] : config.places) {
    if (is_former_key(name)) notes.push_back(fmt::format("note    {} is the former name of {}", name, own_key(name)));
    if (ModelZooKeys::has(name)) idle.push_back(name);
  }
  if (!idle.empty())
    notes.push_back(fmt::format("note    keys of the Model Zoo that change nothing here: {}", fmt::join(idle, ", ")));
  return notes;
}

}  // namespace weft::config
