#include "host/config/keys/without_effect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "host/config/keys/key_names.hpp"
#include "host/config/keys/keys.hpp"
#include "host/memoryx/optimizer.hpp"

namespace weft::config {
namespace {

/// Keys, the condition under which they have an effect, and what they belong to.
struct KeyUse {
  std::vector<std::string_view> keys;  ///< "fpga.": all keys of the section
  bool (*works)(const Config& config);
  std::string_view belongs;           ///< "the functional model"
  std::string_view decides;           ///< the key that decides whether they have an effect
  bool of_files = true;               ///< also report keys set in a parameter file
  bool of_several_processes = false;  ///< has an effect in a run of several processes, whatever `works` returns
};

bool generates(const Config& c) { return c.runconfig.mode == "generate"; }
bool evaluates(const Config& c) {
  return c.runconfig.mode == "eval" || c.runconfig.mode == "train_and_eval" || c.runconfig.eval_frequency > 0;
}
/// Trains, or prepares a training run.
bool trains(const Config& c) { return c.runconfig.mode != "eval" && c.runconfig.mode != "generate"; }
bool has_serial_board(const Config& c) {
  return std::ranges::any_of(c.fpga_device, [](const std::string& device) {
    return !device.starts_with("udp:") && !device.starts_with("emulated");
  });
}
const memoryx::OptimizerRule& rule(const Config& c) { return *memoryx::find_rule(c.optimizer.optimizer_type); }
/// False if wafer.backend names such a backend but no wafer, or checker, uses it.
bool has_wafer_if_named(const Config& c, bool (*is_it)(const std::string& name)) {
  const std::vector<std::string> named = c.backends();
  if (std::ranges::none_of(named, is_it) || is_it(c.check)) return true;
  for (int id = 0; id < c.wafers(); ++id)
    if (is_it(c.backend_of(id))) return true;
  return false;
}
bool is_model(const std::string& name) { return name == "model"; }
bool is_simulated(const std::string& name) { return is_model(name) || name == "rtl"; }
bool is_board(const std::string& name) { return name != "none" && backend_kind(name).board; }
/// True if --seed N set both seeds, of which the one for the parameters has an effect.
bool is_of_seed_flag(const Config& c) {
  return c.place("runconfig.seed").is_command_line() && c.runconfig.seed == c.train_input.seed;
}

const std::vector<KeyUse>& uses() {
  static const std::vector<KeyUse> table = {
      {{"wafer.depth"},
       [](const Config& c) { return has_wafer_if_named(c, is_model); },
       "the functional model",
       "runconfig.num_csx"},
      {{"wafer.threads"},
       [](const Config& c) { return has_wafer_if_named(c, is_simulated); },
       "simulated wafers",
       "runconfig.num_csx"},
      {{"fpga."}, [](const Config& c) { return has_wafer_if_named(c, is_board); }, "boards", "runconfig.num_csx"},
      {{"wafer.depth"},
       [](const Config& c) { return c.has_backend("model"); },
       "the functional model",
       "wafer.backend"},
      {{"wafer.threads"},
       [](const Config& c) { return c.has_backend("model") || c.has_backend("rtl"); },
       "simulated wafers",
       "wafer.backend"},
      {{"fpga."}, [](const Config& c) { return c.any_wafer(&BackendKind::board); }, "boards", "wafer.backend"},
      {{"fpga.baud"},
       [](const Config& c) { return !c.any_wafer(&BackendKind::board) || has_serial_board(c); },
       "serial devices",
       "fpga.device"},
      {{"optimizer.betas"}, [](const Config& c) { return rule(c).betas; }, "other rules", "optimizer.optimizer_type"},
      {{"optimizer.eps", "optimizer.correct_bias"},
       [](const Config& c) { return rule(c).eps; },
       "other rules",
       "optimizer.optimizer_type"},
      {{"optimizer.dampening"},
       [](const Config& c) { return c.optimizer.momentum > 0; },
       "momentum",
       "optimizer.momentum"},
      {{"optimizer.no_decay_params", "optimizer.decay_params"}, decays, "weight decay", "optimizer.weight_decay"},
      {{"memoryx.eager_update"},
       [](const Config& c) { return c.optimizer.max_gradient_norm == 0; },
       "runs that clip no gradients",
       "optimizer.max_gradient_norm"},
      {{"train_input.seed"},
       [](const Config& c) { return shuffles(c) || is_of_seed_flag(c); },
       "shuffled samples",
       "train_input.shuffle"},
      {{"sparsity.seed"},
       [](const Config& c) { return c.sparsity.init_method == "random" || c.sparsity.algorithm == "set"; },
       "random masks",
       "sparsity.init_method"},
      {{"train_input.auto_num_csx"},
       [](const Config& c) { return c.model.micro_batch == 0; },
       "an automatic number of sequences",
       "train_input.micro_batch_size",
       false},
      {{"runconfig.max_steps"},
       [](const Config& c) { return c.runconfig.num_steps == 0; },
       "runs without num_steps",
       "runconfig.num_steps"},
      {{"memoryx.flash_dir"},
       [](const Config& c) { return c.memoryx_dram_gib > 0; },
       "runs with a bound of DRAM",
       "memoryx.dram_gib"},
      {{"swarmx.fanout"}, [](const Config& c) { return c.wafers() > 1; }, "several wafers", "runconfig.num_csx", false},
      {{"swarmx.min_csx", "swarmx.silence", "swarmx.timeout", "swarmx.straggler", "swarmx.key_file"},
       [](const Config&) { return false; },
       "runs of several processes",
       "",
       false,
       true},
      {{"runconfig.prompt", "runconfig.prompt_tokens", "runconfig.prompts_file", "runconfig.max_new_tokens",
        "runconfig.temperature", "runconfig.top_k", "runconfig.top_p", "runconfig.use_cache", "runconfig.stop"},
       generates,
       "mode generate",
       "runconfig.mode",
       false},
      {{"runconfig.top_k", "runconfig.top_p"},
       [](const Config& c) { return !generates(c) || c.runconfig.temperature > 0; },
       "a choice by chance",
       "runconfig.temperature",
       false},
      {{"eval_input.", "runconfig.eval_steps"}, evaluates, "modes that evaluate", "runconfig.mode", false},
      {{"optimizer.", "memoryx.dram_gib", "memoryx.eager_update", "metrics.", "train_input.shuffle",
        "train_input.weights", "runconfig.max_steps", "runconfig.num_steps", "runconfig.on_divergence",
        "runconfig.max_loss_jump", "runconfig.eval_frequency", "runconfig.checkpoint_steps",
        "runconfig.keep_checkpoint_max", "runconfig.save_initial_checkpoint", "runconfig.keep_best"},
       trains,
       "modes that train",
       "runconfig.mode",
       false},
  };
  return table;
}

bool names(std::string_view pattern, std::string_view key) {
  return pattern.ends_with('.') ? key.starts_with(pattern) : key == pattern;
}

std::string reason(const KeyUse& use, const Config& config) {
  if (use.decides.empty()) return "this run has one";
  Config copy = config;  // slots need a mutable object
  return fmt::format("{} is {}", use.decides, value_text(config_key(std::string(use.decides), {}).slot(copy)));
}

/// True if a note reports `key`, which has no effect.
bool is_reported(const KeyUse& use, const Key<Config>& key, const Config& config) {
  if (config.place(key.name).is_command_line()) return true;
  if (!use.of_files || config.place(use.decides).is_command_line()) return false;
  Config copy = config, unset;
  return value_text(key.slot(copy)) != value_text(key.slot(unset));
}

}  // namespace

std::vector<std::string> notes_without_effect(const Config& config, bool several_processes) {
  std::vector<std::string> notes;
  for (const Key<Config>& key : config_keys()) {
    if (!config.places.contains(key.name)) continue;
    const auto use = std::ranges::find_if(uses(), [&](const KeyUse& one) {
      return std::ranges::any_of(one.keys, [&](std::string_view pattern) { return names(pattern, key.name); }) &&
             !one.works(config) && !(one.of_several_processes && several_processes);
    });
    if (use == uses().end() || !is_reported(*use, key, config)) continue;
    notes.push_back(
        fmt::format("note    {}: has no effect: applies to {}, but {}", key.name, use->belongs, reason(*use, config)));
  }
  return notes;
}

}  // namespace weft::config
