/// A run's configuration: the YAML parameter file plus the command line's overrides, typed and checked.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "host/backends/kinds.hpp"
#include "host/config/error.hpp"
#include "sw/compiler/plan.hpp"

namespace weft {

struct EvalConfig {
  std::string data_dir;  ///< as train_input's; empty: no evaluation
  int batch_size = 16;   ///< sequences of an evaluation's step
};

struct InputConfig {
  std::string data_dir;  ///< a text file, a token shard, or a folder of them (host/data/corpus.hpp)
  std::vector<std::string> more_data_dirs = {};  ///< further data sets, each as data_dir
  std::vector<double> weights = {};    ///< share of the samples of data_dir and of each of these; empty: equal ones
  std::string tokenizer = "char";      ///< char | byte | bpe | sentencepiece, of text
  std::string shard_format = "llm.c";  ///< llm.c | nanogpt (host/data/token_shard.hpp)
  bool pad_documents = false;          ///< each document begins a sample (host/data/padded_samples.hpp)
  std::string vocab_file;   ///< of bpe: vocab.json, or tokenizer.json; of sentencepiece: *.model (host/text/load.hpp)
  std::string merges_file;  ///< merges.txt of a vocab.json
  int batch_size = 16;      ///< sequences of a step, over all wafers
  bool shuffle = true;
  int seed = 1;  ///< of the order of samples

  std::vector<std::string> data_dirs() const {
    std::vector<std::string> all = {data_dir};
    all.insert(all.end(), more_data_dirs.begin(), more_data_dirs.end());
    return all;
  }
};

/// One phase of the learning rate, as the parameter file says it (host/memoryx/learning_rate.hpp computes it).
struct LearningRatePhase {
  std::string scheduler = "Constant";  ///< the Model Zoo's names (docs/optimizers.md)
  double learning_rate = 0;            ///< of Constant
  double initial_learning_rate = 0;    ///< of the others, at the phase's first step
  double end_learning_rate = 0;        ///< reached after total_iters steps
  int total_iters = 0;                 ///< steps; 0, only in the end: all that are left
  double power = 1;                    ///< of Polynomial
  double decay_rate = 0.5;             ///< of Exponential, InverseExponentialTimeDecay
  double step_exponent = 1;            ///< of InverseExponentialTimeDecay
  bool staircase = false;              ///< of both: in steps of total_iters
  double scale = 1;                    ///< of InverseSquareRootDecay
  int warmup_steps = 1;
  int T_max = 0;  ///< of CosineAnnealing
  double eta_min = 0;
  double gamma = 0.1;                       ///< of Step, MultiStep
  int step_size = 0;                        ///< of Step
  std::vector<double> milestones = {};      ///< steps, of MultiStep, PiecewiseConstant
  std::vector<double> learning_rates = {};  ///< of PiecewiseConstant, one more than milestones
};

struct OptimizerConfig {
  std::string optimizer_type = "AdamW";      ///< of rule_names() (docs/optimizers.md)
  std::vector<double> betas = {0.9, 0.999};  ///< by default those of the rule
  double eps = 1e-8;
  double momentum = 0;  ///< of SGD, as the next two
  double dampening = 0;
  bool nesterov = false;
  double weight_decay = 0;                        ///< for tensors of two dimensions
  std::vector<std::string> no_decay_params = {};  ///< but for these (host/config/params_filter.hpp)
  std::vector<std::string> frozen_params = {};    ///< tensors that do not change
  bool correct_bias = true;
  double max_gradient_norm = 0;  ///< 0: no clipping
  std::vector<LearningRatePhase> learning_rate = {LearningRatePhase{.learning_rate = 1e-3}};
};

/// Masks over the model's matrices; sparsity 0: none.
struct SparsityConfig {
  /// random: by `seed`; topk: the largest initial weights are kept; checkpoint: those that are not zero there.
  std::string init_method = "random";
  double sparsity = 0;  ///< share of each chosen tensor that is left out, 0 <= sparsity < 1
  std::vector<std::string> params_filter = {"h.*.weight"};  ///< host/config/params_filter.hpp
  int seed = 1;                                             ///< of the random masks, and of what set grows
  /// static, or masks that are dealt anew: set, rigl, gmp (docs/dynamic_sparsity.md).
  std::string algorithm = "static";
  double initial_sparsity = 0;  ///< gmp: `sparsity` is where it ends
  double drop_fraction = 0.3;   ///< set, rigl: of the weights, at first
  int update_freq = 100;        ///< steps between deals
  int update_start = 0;         ///< steps done after which deals begin
  int update_stop = 0;          ///< and after which there are no more

  bool moves() const { return algorithm != "static"; }
  /// The share that the masks of a run's begin leave out.
  double first() const { return algorithm == "gmp" ? initial_sparsity : sparsity; }
};

struct RunConfig {
  int max_steps = 100;
  int num_steps = 0;  ///< if above 0, instead of max_steps
  int num_csx = 1;    ///< wafers
  int log_steps = 1;
  std::string log_style = "table";     ///< table | global_step: how a step is printed
  int save_summary_steps = 1;          ///< steps between TensorBoard's events; 0: no event files
  std::string on_divergence = "stop";  ///< stop | skip | rollback: a step whose loss or gradient is no number
  double max_loss_jump = 0;            ///< nats above the losses before, from where on it counts as one; 0: never
  int eval_frequency = 0;              ///< steps between evaluations; 0: none
  int eval_steps = 0;                  ///< of eval_input.batch_size sequences each; 0: all there are
  int seed = 1;                        ///< of the initial parameters
  std::string mode = "train";
  std::string model_dir = "model_dir";
  int checkpoint_steps = 0;     ///< steps between checkpoints; 0: only at the end
  int keep_checkpoint_max = 0;  ///< of the newest; 0: all
  bool save_initial_checkpoint = false;
  bool keep_best = false;       ///< best.safetensors: the checkpoint with the lowest eval loss
  std::string checkpoint_path;  ///< where to start, if model_dir has no checkpoint; empty: from the seed
  /// The texts that `generate` goes on with, those of prompts_file if that is given; there, `seed` is of the choices,
  /// too.
  std::vector<std::string> prompt;
  std::vector<std::string> prompt_tokens;  ///< or the tokens, as ids: "1,2,3"
  std::string prompts_file;                ///< a prompt a line
  int max_new_tokens = 100;                ///< of each prompt
  double temperature = 0;                  ///< 0: the likeliest token, always
  int top_k = 0;                           ///< only among so many of the likeliest; 0: among all
  double top_p = 1;                        ///< of these, the fewest likeliest that have this share of the probability
  std::string use_cache = "auto";          ///< auto | always | never: keys and values stay on the wafer
  std::vector<std::string> stop;           ///< texts, or ids as of prompt_tokens, before which a text ends

  /// Texts that `generate` goes on with.
  std::size_t prompts() const { return prompt.size() + prompt_tokens.size(); }

  int steps() const { return num_steps > 0 ? num_steps : max_steps; }
};

struct SavedPlan;
struct Joining;
class Progress;

struct Config {
  InputConfig train_input;
  EvalConfig eval_input;
  ModelShape model{.filter = 0};  ///< micro_batch comes from train_input.micro_batch_size
  OptimizerConfig optimizer;
  SparsityConfig sparsity;
  RunConfig runconfig;
  WaferShape wafer = {.sequence_columns = 0};
  std::string backend = "model";  ///< wafer.backend: one, or several with commas between
  std::string check = "none";     ///< wafer.check: none, or the backend of each wafer's second
  int wafer_threads = 0;          ///< of each wafer of model or RTL; 0: its share of the cores
  int wafer_depth = 0;            ///< of the model's links; 0: without a bound
  std::vector<std::string> fpga_device = {"emulated:udp"};  ///< of each board (host/board/device.hpp)
  int fpga_baud = 2000000;
  int swarmx_fanout = 4;
  int swarmx_nodes = 0;         ///< swarmx.nodes: ranks that are nodes of the tree
  int swarmx_min_csx = 1;       ///< swarmx.min_csx: wafers without which nothing goes on
  double swarmx_silence = 30;   ///< seconds
  double swarmx_timeout = 60;   ///< seconds
  double swarmx_straggler = 3;  ///< times the usual; 0: never
  std::string swarmx_key_file;  ///< of a run of several processes; empty: MUNGE
  int memoryx_threads = 1;
  int memoryx_ranks = 0;          ///< memoryx.ranks: processes that have the tensors; 0: the root does
  double memoryx_dram_gib = 0;    ///< memoryx.dram_gib: of weights, moments and sums; 0: no bound
  std::string memoryx_flash_dir;  ///< memoryx.flash_dir: of what is beyond it; empty: model_dir
  bool memoryx_early = false;     ///< memoryx.early: weights change before a step is over (host/memoryx/memoryx.hpp)

  std::string metrics_prometheus;  ///< metrics.prometheus: a text file for Prometheus; empty: none

  std::chrono::milliseconds swarm_silence() const { return milliseconds(swarmx_silence); }
  std::chrono::milliseconds swarm_timeout() const { return milliseconds(swarmx_timeout); }
  static std::chrono::milliseconds milliseconds(double seconds) {
    return std::chrono::milliseconds(static_cast<long long>(seconds * 1000));
  }

  /// Wafers that the run has.
  int wafers() const { return runconfig.mode == "generate" ? 1 : runconfig.num_csx; }
  /// Wafer i has backend number i of these, counted round and round.
  std::vector<std::string> backends() const;
  std::string backend_of(int id) const;
  const BackendKind& kind_of(int id) const { return backend_kind(backend_of(id)); }
  /// Whether any wafer is such.
  bool runs_on(std::string_view name) const;
  /// Whether any, or every wafer's kind has it.
  bool any_wafer(bool BackendKind::*has) const;
  bool all_wafers(bool BackendKind::*has) const;
  /// Whether any wafer is, or the second that checks it.
  bool has_backend(std::string_view name) const { return check == name || runs_on(name); }
  /// The device of wafer `id`, which is a board. One that is emulated serves any number of wafers.
  const std::string& device_of(int id) const;
  /// Wafers before `id` that are boards.
  int boards_before(int id) const;

  int micro_batches() const { return train_input.batch_size / model.micro_batch; }

  bool allow_other_bits = false;  ///< a run may continue with settings that change its bits, as another run

  std::shared_ptr<const SavedPlan> plan;  ///< of --plan (host/appliance/saved_plan.hpp); null: it is compiled
  std::string plan_file;
  std::shared_ptr<Progress> progress;      ///< of steps and evaluations; null: nobody looks
  std::shared_ptr<const Joining> joining;  ///< of a root whose wafers are other processes; null: all is in this one

  std::string file;
  std::map<std::string, Place, std::less<>> places;  ///< where each key was set

  /// Where a key was set; the whole file, if nowhere.
  Place place(std::string_view key) const;
  /// The error of a key's value, at the place where it was set.
  Refusal error(std::string_view key, std::string_view problem, std::string_view hint) const;
  /// The same of a file that the key names: "out/x: is no folder. HINT: set another."
  Refusal error(std::string_view key, const Refusal& refusal) const;
  /// A refusal whose subject is a key, at the place where that was set; any other as it is.
  Refusal placed(const Refusal& refusal) const;
};

/// One `--model.num_heads 4` of the command line. The value is YAML.
struct Override {
  std::string key, value;
};

/// Reads and checks. A relative data_dir or checkpoint_path counts from the parameter file's folder (from the command
/// line: from the current one). A file that is not there may have come with the program (shared_files.hpp). Throws
/// Refusal.
Config load_config(const std::string& name, const std::vector<Override>& overrides = {});

/// The same of a parameter file's text; `file` is its name.
Config parse_config(const std::string& text, const std::string& file, const std::vector<Override>& overrides = {});

/// The rules that join several keys, e.g. heads must divide hidden_size. Throws Refusal.
void check_config(const Config& config);

}  // namespace weft
