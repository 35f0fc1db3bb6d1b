#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <ostream>

#include "host/checkpoint/file.hpp"
#include "host/cli/exchange/exchange.hpp"
#include "host/config/file/load.hpp"
#include "host/config/file/show.hpp"
#include "host/config/keys/path_keys.hpp"
#include "host/data/load_data.hpp"
#include "host/formats/open_weights.hpp"
#include "host/planning/smallest_wafer.hpp"
#include "host/system/progress.hpp"
#include "host/tokenizer/config_tokenizer.hpp"
#include "sw/compiler/model/tensors.hpp"

namespace weft::cli {
namespace {

bool is_set(const config::Arguments& arguments, std::string_view key) {
  return std::ranges::any_of(arguments.overrides, [&](const config::Override& change) { return change.key == key; });
}

/// The keys of keys and values that heads share, and of rotary positions, where they are not the defaults.
std::string heads_text(const compiler::ModelShape& model) {
  const compiler::RotaryAngles& rotary = model.rotary;
  std::string text;
  if (model.own_kv_heads() != model.heads) text += fmt::format("  num_kv_heads: {}\n", model.kv_heads);
  if (!rotary.has_halves()) return text;
  text += fmt::format("  rotary_layout: {}\n  rope_theta: {}\n", rotary.layout, rotary.theta);
  if (rotary.scaling == "none") return text;
  text += fmt::format("  rope_scaling: {}\n  rope_scaling_factor: {}\n", rotary.scaling, rotary.factor);
  if (rotary.scaling == "llama3")
    text += fmt::format("  rope_low_freq_factor: {}\n  rope_high_freq_factor: {}\n  rope_original_length: {}\n",
                        rotary.low_turns, rotary.high_turns, rotary.original_length);
  return text;
}

/// Parameter file of the model, with settings for fine-tuning: a low rate with warm-up, and a clipped gradient, so that
/// the zero moments and the noise of few sequences do not destroy the trained weights.
std::string params_text(const compiler::ModelShape& model) {
  return fmt::format(R"(train_input:
  batch_size: 4
optimizer:
  optimizer_type: AdamW
  weight_decay: 0.01
  max_gradient_norm: 1.0
  learning_rate:
    - scheduler: Linear
      initial_learning_rate: 5.0e-6
      end_learning_rate: 5.0e-5
      total_iters: 10
    - scheduler: Constant
      learning_rate: 5.0e-5
model:
  network: {}
  vocab_size: {}
  max_sequence_length: {}
  hidden_size: {}
  num_hidden_layers: {}
  num_heads: {}
  filter_size: {}
  rotary_dim: {}
  share_embedding_weights: {}
  layer_norm_epsilon: {}
{})",
                     model.network, model.vocab, model.seq, model.hidden, model.layers, model.heads, model.filter,
                     model.rotary_dim, model.tied, model.ln_eps,
                     heads_text(model) +
                         (model.has_segments() ? fmt::format("  num_segments: {}\n", model.segments) : "") +
                         (model.classes > 0 ? fmt::format("  num_classes: {}\n", model.classes) : "") +
                         (model.has_padding() ? fmt::format("  padding_token: {}\n", model.padding_token) : ""));
}

/// Configuration with the user's settings, and the smallest wafer that fits the model unless the user has chosen one.
config::Config config_of(const compiler::ModelShape& model, const std::string& file, const std::string& weights,
                         const config::Arguments& arguments) {
  std::vector<config::Override> settings = {{"train_input.micro_batch_size", "1"},
                                            {"runconfig.checkpoint_path", config::written_path(weights)}};
  settings.insert(settings.end(), arguments.overrides.begin(), arguments.overrides.end());
  return planning::with_smallest_wafer(settings, [&](const std::vector<config::Override>& overrides) {
    return config::parse_config(params_text(model), file, overrides);
  });
}

}  // namespace

int import_command(const config::Arguments& arguments, std::ostream& out, std::ostream& notes, bool terminal) {
  const std::string from = config::option(arguments.options, "from", ""),
                    file = config::option(arguments.options, "out", "");
  if (from.empty())
    throw Refusal("weft import", "has nothing to read", "name a folder that save_pretrained wrote, or llm.c's .bin");
  if (file.empty()) throw Refusal("--out", "missing", "name the parameter file to write, e.g. --out mine.yaml");
  if (!is_set(arguments, "train_input.data_dir"))
    throw Refusal("--train_input.data_dir", "missing", "name the text or the token shards that the model is to read");
  std::error_code ignored;
  if (std::filesystem::exists(file, ignored))
    throw checkpoint::file_error(file, "", "exists", "name another, or move it away");
  system::Progress progress(notes, terminal);
  const compiler::ModelShape model =
      system::timed(&progress, "reading the weights", [&] { return formats::model_of_weights(from); });
  config::Config config =
      system::timed(&progress, "choosing the mesh", [&] { return config_of(model, file, from, arguments); });
  config.runconfig.mode = "eval";  // takes the tokenizer that belongs to the weights
  if (const auto tokenizer = tokenizer::saved_tokenizer(config)) config.train_input.tokenizer = tokenizer->name();
  config.runconfig.mode = "train";
  const std::vector<compiler::TensorInfo> tensors = compiler::model_tensors(config.model);
  system::timed(&progress, "reading the weights", [&] {
    formats::open_weights(from, config.model, tensors);  // fails where a run would
  });
  checkpoint::AtomicFile params(file);
  params.write(config::config_yaml(config));
  params.commit();
  out << fmt::format("import  {}: {} of {} parameters, {} rows x {} columns of {} KiB\n", file, model.network,
                     compiler::parameter_count(tensors), config.wafer.rows, config.wafer.cols, config.wafer.sram_kib);
  return 0;
}

}  // namespace weft::cli
