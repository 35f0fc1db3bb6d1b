#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <ostream>

#include "host/checkpoint/file.hpp"
#include "host/cli/exchange/exchange.hpp"
#include "host/config/file/load.hpp"
#include "host/config/file/show.hpp"
#include "host/config/keys/path_keys.hpp"
#include "host/data/load_data.hpp"
#include "host/formats/open_weights.hpp"
#include "host/planning/compile_plan.hpp"
#include "host/tokenizer/config_tokenizer.hpp"
#include "sw/compiler/model/tensors.hpp"

namespace weft {
namespace {

/// Wafers to try for a model, the smallest first: rows, columns, KiB.
constexpr std::array<std::array<int, 3>, 12> kWafers = {{{2, 2, 48},
                                                         {4, 4, 48},
                                                         {8, 8, 48},
                                                         {16, 16, 48},
                                                         {32, 32, 48},
                                                         {64, 32, 48},
                                                         {64, 64, 96},
                                                         {96, 64, 128},
                                                         {128, 128, 128},
                                                         {256, 128, 128},
                                                         {512, 256, 128},
                                                         {1024, 512, 128}}};

bool is_set(const Arguments& arguments, std::string_view key) {
  return std::ranges::any_of(arguments.overrides, [&](const Override& change) { return change.key == key; });
}

std::string params_text(const ModelShape& model) {
  return fmt::format(R"(train_input:
  batch_size: 1
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
)",
                     model.network, model.vocab, model.seq, model.hidden, model.layers, model.heads, model.filter,
                     model.rotary_dim, model.tied, model.ln_eps);
}

/// Configuration with the user's settings, and the smallest wafer that fits the model unless the user has chosen one.
Config config_of(const ModelShape& model, const std::string& file, const std::string& weights,
                 const Arguments& arguments) {
  std::vector<Override> settings = {{"train_input.micro_batch_size", "1"},
                                    {"runconfig.checkpoint_path", written_path(weights)}};
  settings.insert(settings.end(), arguments.overrides.begin(), arguments.overrides.end());
  const auto with = [&](std::vector<Override> wafer) {
    wafer.insert(wafer.end(), settings.begin(), settings.end());
    Config config = parse_config(params_text(model), file, wafer);
    check_fit(config);
    return config;
  };
  if (is_set(arguments, "wafer.rows") || is_set(arguments, "wafer.cols")) return with({});
  std::optional<Refusal> last;
  for (const auto& [rows, cols, sram] : kWafers) {
    try {
      return with({{"wafer.rows", std::to_string(rows)},
                   {"wafer.cols", std::to_string(cols)},
                   {"wafer.sram_kib", std::to_string(sram)}});
    } catch (const Refusal& refusal) {
      last = refusal;
    }
  }
  throw *last;
}

}  // namespace

int import_command(const Arguments& arguments, std::ostream& out) {
  const std::string from = option(arguments.options, "from", ""), file = option(arguments.options, "out", "");
  if (from.empty())
    throw Refusal("weft import", "has nothing to read", "name a folder that save_pretrained wrote, or llm.c's .bin");
  if (file.empty()) throw Refusal("--out", "missing", "name the parameter file to write, e.g. --out mine.yaml");
  if (!is_set(arguments, "train_input.data_dir"))
    throw Refusal("--train_input.data_dir", "missing", "name the text or the token shards that the model is to read");
  std::error_code ignored;
  if (std::filesystem::exists(file, ignored)) throw file_error(file, "", "is there", "name another, or move it away");
  const ModelShape model = model_of_weights(from);
  Config config = config_of(model, file, from, arguments);
  config.runconfig.mode = "eval";  // takes the tokenizer that belongs to the weights
  if (const auto tokenizer = saved_tokenizer(config)) config.train_input.tokenizer = tokenizer->name();
  config.runconfig.mode = "train";
  const std::vector<TensorInfo> tensors = model_tensors(config.model);
  open_weights(from, config.model, tensors);  // fails where a run would
  AtomicFile params(file);
  params.write(config_yaml(config));
  params.commit();
  out << fmt::format("import  {}: {} of {} parameters, {} rows x {} columns of {} KiB\n", file, model.network,
                     parameter_count(tensors), config.wafer.rows, config.wafer.cols, config.wafer.sram_kib);
  return 0;
}

}  // namespace weft
