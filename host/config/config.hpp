/// A run's configuration: the YAML parameter file plus the command line's overrides, typed and checked.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "host/config/error.hpp"
#include "host/config/kinds.hpp"
#include "sw/compiler/plan/plan.hpp"

namespace weft::config {

struct EvalConfig {
  std::string data_dir;  ///< as train_input.data_dir; empty: no evaluation
  int batch_size = 16;   ///< sequences per evaluation step
};

struct InputConfig {
  std::string data_dir;  ///< a text file, a token shard, or a folder of them (host/data/corpus.hpp)
  std::vector<std::string> more_data_dirs = {};  ///< further data sets, each as data_dir
  std::vector<double> weights = {};    ///< shares of samples, from data_dir and each of more_data_dirs; empty: equal
  std::string tokenizer = "char";      ///< for text: char | byte | bpe | sentencepiece
  std::string shard_format = "llm.c";  ///< llm.c | nanogpt (host/data/token_shard.hpp)
  bool pad_documents = false;          ///< each document begins a sample (host/data/padded_samples.hpp)
  std::string vocab_file;              ///< for bpe: vocab.json or tokenizer.json; for sentencepiece: *.model
  std::string merges_file;             ///< merges.txt that belongs to vocab.json
  int batch_size = 16;                 ///< sequences per step, over all wafers
  int auto_num_csx = 1;                ///< wafers for which an automatic micro_batch_size minimizes a step's time
  bool shuffle = true;
  int seed = 1;  ///< for the order of samples

  std::vector<std::string> data_dirs() const {
    std::vector<std::string> all = {data_dir};
    all.insert(all.end(), more_data_dirs.begin(), more_data_dirs.end());
    return all;
  }
};

/// One phase of the learning rate, as in the parameter file (host/memoryx/learning_rate.hpp computes the rate).
struct LearningRatePhase {
  std::string scheduler = "Constant";  ///< the Model Zoo's names (docs/reference/optimizers.md)
  double learning_rate = 0;            ///< for Constant
  double initial_learning_rate = 0;    ///< for the others, at the first step of the phase
  double end_learning_rate = 0;        ///< reached after total_iters steps
  int total_iters = 0;                 ///< steps; 0 in the last phase: all remaining
  double power = 1;                    ///< for Polynomial
  double decay_rate = 0.5;             ///< for Exponential, InverseExponentialTimeDecay
  double step_exponent = 1;            ///< for InverseExponentialTimeDecay
  bool staircase = false;              ///< for both: decays in steps of total_iters
  double scale = 1;                    ///< for InverseSquareRootDecay
  int warmup_steps = 1;
  int T_max = 0;  ///< for CosineAnnealing
  double eta_min = 0;
  double gamma = 0.1;                       ///< for Step, MultiStep
  int step_size = 0;                        ///< for Step
  std::vector<double> milestones = {};      ///< for MultiStep, PiecewiseConstant: steps
  std::vector<double> learning_rates = {};  ///< for PiecewiseConstant: one more than milestones
};

struct OptimizerConfig {
  std::string optimizer_type = "AdamW";      ///< one of rule_names() (docs/reference/optimizers.md)
  std::vector<double> betas = {0.9, 0.999};  ///< default: those of the rule
  double eps = 1e-8;
  double momentum = 0;  ///< for SGD, as the next two
  double dampening = 0;
  bool nesterov = false;
  double weight_decay = 0;                        ///< for two-dimensional tensors
  std::vector<std::string> no_decay_params = {};  ///< except these (host/config/keys/params_filter.hpp)
  std::vector<std::string> decay_params = {};     ///< and for these vectors
  std::vector<std::string> frozen_params = {};    ///< tensors that are not updated
  bool correct_bias = true;
  double max_gradient_norm = 0;  ///< 0: no clipping
  std::vector<LearningRatePhase> learning_rate = {LearningRatePhase{.learning_rate = 1e-3}};
};

/// Sparsity masks over the model's matrices. sparsity 0: dense.
struct SparsityConfig {
  /// random: by `seed`; topk: keep the largest initial weights; checkpoint: keep the weights that are nonzero there.
  std::string init_method = "random";
  double sparsity = 0;  ///< fraction of each chosen tensor that is pruned, 0 <= sparsity < 1
  std::vector<std::string> params_filter = {"h.*.weight"};  ///< host/config/keys/params_filter.hpp
  int seed = 1;                                             ///< for random masks, and for the weights that set regrows
  /// static, or dynamic: set, rigl, gmp (docs/explanation/dynamic_sparsity.md).
  std::string algorithm = "static";
  double initial_sparsity = 0;  ///< gmp: initial value; `sparsity` is the final one
  double drop_fraction = 0.3;   ///< set, rigl: initial fraction of weights to drop
  int update_freq = 100;        ///< steps between mask updates
  int update_start = 0;         ///< mask updates begin after this many steps
  int update_stop = 0;          ///< mask updates end after this many steps

  bool is_dynamic() const { return algorithm != "static"; }
  /// Sparsity of the initial masks.
  double initial() const { return algorithm == "gmp" ? initial_sparsity : sparsity; }
};

struct RunConfig {
  int max_steps = 100;
  int num_steps = 0;  ///< overrides max_steps if above 0
  int num_csx = 1;    ///< number of wafers
  int log_steps = 1;
  std::string log_style = "table";     ///< table | global_step: format of the line per step
  int save_summary_steps = 1;          ///< steps between TensorBoard events; 0: no event files
  std::string on_divergence = "stop";  ///< stop | skip | rollback: action on a loss or gradient that is not finite
  double max_loss_jump = 0;            ///< loss increase in nats that counts as divergence; 0: no increase does
  int eval_frequency = 0;              ///< steps between evaluations; 0: none
  int eval_steps = 0;                  ///< steps of eval_input.batch_size sequences each; 0: all available
  int seed = 1;                        ///< for the initial parameters
  std::string mode = "train";
  std::string model_dir = "model_dir";
  int checkpoint_steps = 0;     ///< steps between checkpoints; 0: none by count
  int keep_checkpoint_max = 0;  ///< number of newest checkpoints to keep; 0: all
  bool save_initial_checkpoint = false;
  bool keep_best = false;       ///< best.safetensors: the checkpoint with the lowest eval loss
  std::string checkpoint_path;  ///< starting point if model_dir has no checkpoint; empty: start from the seed
  /// Prompts for `generate`; replaced by the lines of prompts_file if that is given. In this mode, `seed` also
  /// determines the sampling.
  std::vector<std::string> prompt;
  std::vector<std::string> prompt_tokens;  ///< prompts as token ids: "1,2,3"
  std::string prompts_file;                ///< one prompt per line
  int max_new_tokens = 100;                ///< per prompt
  double temperature = 0;                  ///< 0: always the likeliest token
  int top_k = 0;                           ///< sample among the k likeliest tokens; 0: among all
  double top_p = 1;                        ///< samples the fewest likeliest of these that reach this probability
  std::string use_cache = "auto";          ///< auto | always | never: keep keys and values on the wafer
  std::vector<std::string> stop;           ///< stop sequences: texts, or ids as in prompt_tokens; excluded from the
                                           ///< output

  /// Number of prompts for `generate`.
  std::size_t prompts() const { return prompt.size() + prompt_tokens.size(); }

  int steps() const { return num_steps > 0 ? num_steps : max_steps; }
};

struct Config {
  InputConfig train_input;
  EvalConfig eval_input;
  compiler::ModelShape model{.filter = 0};  ///< micro_batch is set by train_input.micro_batch_size
  OptimizerConfig optimizer;
  SparsityConfig sparsity;
  RunConfig runconfig;
  machine::WaferShape wafer = {.sequence_columns = 0};  ///< `rows` and `valves`: of all groups
  /// wafer.row_groups; 0: auto (docs/explanation/row_groups.md)
  int row_groups = 1;
  std::string backend = "model";  ///< wafer.backend: one, or several separated by commas
  std::string check = "none";     ///< wafer.check: none, or the backend of each wafer's checker
  int wafer_threads = 0;          ///< per wafer of model or RTL; 0: its share of the cores
  int wafer_depth = 0;            ///< depth of the model's links; 0: unbounded
  std::vector<std::string> fpga_device = {"emulated:udp"};  ///< device of each board (host/board/device.hpp)
  int fpga_baud = 2000000;
  int swarmx_fanout = 4;
  int swarmx_nodes = 0;         ///< swarmx.nodes: ranks that are nodes of the reduction tree
  int swarmx_min_csx = 1;       ///< swarmx.min_csx: minimum number of wafers to continue with
  double swarmx_silence = 30;   ///< heartbeat timeout in seconds
  double swarmx_timeout = 60;   ///< seconds for processes to connect or reconnect
  double swarmx_straggler = 3;  ///< factor over the usual time; 0: never
  std::string swarmx_key_file;  ///< shared key of a run of several processes; empty: MUNGE
  int memoryx_threads = 1;
  int memoryx_ranks = 0;          ///< memoryx.ranks: processes that hold the tensors; 0: the root does
  double memoryx_dram_gib = 0;    ///< memoryx.dram_gib: limit for weights, moments and sums; 0: none
  std::string memoryx_flash_dir;  ///< memoryx.flash_dir: folder for what exceeds the limit; empty: model_dir
  bool memoryx_eager_update = false;  ///< memoryx.eager_update: eager updates, within a step (host/memoryx/memoryx.hpp)

  std::string metrics_prometheus;  ///< metrics.prometheus: a text file for Prometheus; empty: none

  std::chrono::milliseconds swarm_silence() const { return milliseconds(swarmx_silence); }
  std::chrono::milliseconds swarm_timeout() const { return milliseconds(swarmx_timeout); }
  static std::chrono::milliseconds milliseconds(double seconds) {
    return std::chrono::milliseconds(static_cast<long long>(seconds * 1000));
  }

  /// Number of wafers of the run.
  int wafers() const { return runconfig.mode == "generate" ? 1 : runconfig.num_csx; }
  /// Number of groups of rows: one in mode generate, and while wafer.row_groups is auto.
  int groups() const;
  /// The wafer as the compiler sees it: the rows and valves of a group, and the number of groups.
  machine::WaferShape group_wafer() const;
  /// The configuration of one group as a wafer of its own, with a group's part of each micro-batch: a run with it has
  /// the same bits. This configuration if there is one group.
  Config one_group() const;
  /// The model as the compiler sees it, with the sequences of a group.
  compiler::ModelShape group_model() const;
  /// Backend list; wafer i uses entry i modulo the size.
  std::vector<std::string> backends() const;
  std::string backend_of(int id) const;
  const BackendKind& kind_of(int id) const { return backend_kind(backend_of(id)); }
  /// True if any wafer has this backend.
  bool runs_on(std::string_view name) const;
  /// True if any wafer, or every wafer, is of a kind with this property.
  bool any_wafer(bool BackendKind::*has) const;
  bool all_wafers(bool BackendKind::*has) const;
  /// True if any wafer, or its checker, has this backend.
  bool has_backend(std::string_view name) const { return check == name || runs_on(name); }
  /// Device of wafer `id`, which must be a board. An emulated device serves any number of wafers.
  const std::string& device_of(int id) const;
  /// Number of boards among the wafers before `id`.
  int boards_before(int id) const;

  int micro_batches() const { return train_input.batch_size / model.micro_batch; }

  std::string file;
  std::map<std::string, Place, std::less<>> places;  ///< place where each key was set

  /// Place where a key was set; the whole file if it was not.
  Place place(std::string_view key) const;
  /// Error about the value of a key, at the place where the key was set.
  Refusal error(std::string_view key, std::string_view problem, std::string_view hint) const;
  /// Error about a file that the key names: "out/x: is not a folder. HINT: set another."
  Refusal error(std::string_view key, const Refusal& refusal) const;
};

/// True if the mode trains or prepares training; false if it uses trained weights.
inline bool is_training(const Config& config) {
  return config.runconfig.mode != "eval" && config.runconfig.mode != "generate";
}

/// One command-line override such as `--model.num_heads 4`. The value is YAML.
struct Override {
  std::string key, value;
};

}  // namespace weft::config
