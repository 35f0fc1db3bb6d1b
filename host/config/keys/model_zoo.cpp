#include "host/config/keys/model_zoo.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace weft::config {
namespace {

constexpr OtherName kOtherNames[] = {
    {"runconfig.save_checkpoints_steps", "runconfig.checkpoint_steps"},
    {"runconfig.tf_random_seed", "runconfig.seed"},
    {"train_input.shuffle_seed", "train_input.seed"},
    {"optimizer.epsilon", "optimizer.eps"},
    {"optimizer.weight_decay_rate", "optimizer.weight_decay"},
    {"optimizer.use_bias_correction", "optimizer.correct_bias"},
    {"model.max_position_embeddings", "model.max_sequence_length"},
    {"sparsity.type", "sparsity.algorithm"},
    {"sparsity.param_filter", "sparsity.params_filter"},
    {"memoryx.early", "memoryx.eager_update", true},
};

constexpr auto kAccumulate =
    "leave it out: a step is train_input.batch_size sequences, in passes of train_input.micro_batch_size on each of "
    "runconfig.num_csx wafers, and gradients are accumulated automatically";
constexpr auto kCycle = "use a list of phases, each with its total_iters";

constexpr auto kOneForm =
    "leave it out: parameters are fp32, streams are bf16, sums are fp32 (docs/reference/numbers.md)";
constexpr auto kNetwork =
    "leave it out, or write a network of your own: model.network FILE.yaml (docs/reference/network.md)";
constexpr auto kPositions = "leave it out: model.network gpt2 has learned ones, gptj rotary ones (model.rotary_dim)";
constexpr auto kGelu =
    "set model.network cerebras_gpt for GELU by erf (gelu); or leave it out: the MLP has GELU by tanh (gelu_new), "
    "which "
    "differs from GELU by erf by less than 0.001; or write a network of your own: model.network FILE.yaml "
    "(docs/reference/network.md)";
constexpr auto kOneProcess =
    "leave it out: the root reads the data itself; csrun_wse --data gives it a rank of its own";
constexpr auto kInit =
    "leave it out: normal, 0.02, and less at the end of a residual branch; runconfig.seed is the random seed";

constexpr Lacking kKeys[] = {
    {"train_input.data_processor", "names the class that reads the data",
     "leave it out: the format of train_input.data_dir is detected, and train_input.tokenizer is that of a text"},
    {"train_input.mixture", "takes samples of several data sets",
     "set train_input.data_dir, train_input.more_data_dirs \"[DIR, ...]\" and train_input.weights \"[W, ...]\""},
    {"train_input.max_sequence_length", "cuts samples to this number of tokens", "set model.max_sequence_length"},
    {"train_input.vocab_size", "gives the number of tokens", "set model.vocab_size"},
    {"train_input.shuffle_buffer", "shuffles within this number of samples",
     "leave it out: train_input.shuffle shuffles all samples, by train_input.seed"},
    {"train_input.repeat", "begins again when the data ends", "leave it out: it is always so"},
    {"train_input.drop_last", "leaves an incomplete last batch out",
     "leave it out: batches continue across the end of the data"},
    {"train_input.add_special_tokens", "puts tokens of its own at a sample's ends",
     "leave it out: a sample has the data's tokens alone; weft tokenize --eot TOKEN ends documents"},
    {"train_input.num_samples", "takes only this number of samples", "set runconfig.max_steps, or give it less data"},
    {"eval_input.use_vsl", "says that samples are of several documents",
     "set train_input.use_vsl, which is that of both"},
    {"eval_input.shuffle", "shuffles samples", "leave it out: they are evaluated in order"},
    {"eval_input.repeat", "begins again when the data ends",
     "leave it out: all samples count once, or the first of them, runconfig.eval_steps x eval_input.batch_size"},
    {"eval_input.num_samples", "takes only this number of samples",
     "set runconfig.eval_steps, in eval_input.batch_size each"},
    {"eval_input.drop_last", "leaves an incomplete last batch out", "leave it out: its samples count as all do"},
    {"train_input.mixed_precision", "gives masks in 16 bits", kOneForm},
    {"model.mixed_precision", "computes in 16 bits where that is enough", kOneForm},
    {"model.fp16_type", "chooses between forms of 16 bits", kOneForm},
    {"model.use_bfloat16", "computes in bf16", kOneForm},
    {"model.dropout_rate", "leaves activations out at random",
     "leave it out, and set model.residual_dropout_rate and model.embedding_dropout_rate"},
    {"model.nonlinearity", "chooses the function inside the MLP", kGelu},
    {"model.use_position_embedding", "adds positions, or does not", kNetwork},
    {"model.position_embedding_type", "chooses learned, fixed, rotary or relative positions", kPositions},
    {"model.attention_type", "chooses how scores are scaled", kNetwork},
    {"model.attention_module", "chooses between attention of many heads and of one", kNetwork},
    {"model.use_projection_bias_in_attention", "gives queries, keys and values a bias", kNetwork},
    {"model.use_ffn_bias_in_attention", "gives attention's output a bias", kNetwork},
    {"model.use_ffn_bias", "gives the MLP biases", kNetwork},
    {"model.use_bias_in_output", "gives the head a bias", kNetwork},
    {"model.use_untied_layer_norm", "gives attention and MLP a LayerNorm each", kNetwork},
    {"model.fixed_sparse_attention", "leaves scores out by a pattern",
     "leave it out: attention is whole; what can be sparse is weights (sparsity.sparsity)"},
    {"model.extra_attention_params", "hands attention more settings", kNetwork},
    {"model.extra_ffn_params", "hands the MLP more settings", kNetwork},
    {"model.attention_kernel", "chooses how attention is computed", "leave it out: there is one way"},
    {"model.num_kv_groups", "lets several heads share keys and values",
     "leave it out: model.num_kv_heads is the number of such groups"},
    {"model.pos_scaling_factor", "stretches positions to longer texts",
     "leave it out: model.rope_scaling linear with model.rope_scaling_factor divides rotary frequencies"},
    {"model.rotary_base", "is the base of rotary angles", "leave it out: it is model.rope_theta"},
    {"model.alibi_trainable_slopes", "trains the slopes of ALiBi", kPositions},
    {"model.norm_type", "chooses LayerNorm or another", kNetwork},
    {"model.embedding_layer_norm", "normalizes embeddings", kNetwork},
    {"model.embeddings_scale", "multiplies embeddings", kNetwork},
    {"model.output_logits_scale", "multiplies logits", kNetwork},
    {"model.output_logits_alpha", "multiplies logits", kNetwork},
    {"model.scale_qk_dot_by_d", "divides scores by features, not by their root", kNetwork},
    {"model.scale_qk_dot_by_layer_idx", "divides scores by the layer's number", kNetwork},
    {"model.lora_params", "trains small matrices next to frozen ones",
     "leave it out; optimizer.frozen_params freezes tensors as a whole"},
    {"model.name", "names the model", "leave it out, or set model.network"},
    {"model.model_name", "names the model", "leave it out, or set model.network"},
    {"model.initializer_range", "is the standard deviation of initial weights", kInit},
    {"model.initializer", "chooses how weights begin", kInit},
    {"model.embedding_initializer", "chooses how embeddings begin", kInit},
    {"model.output_layer_initializer", "chooses how outputs' weights begin", kInit},
    {"model.weight_initialization_seed", "chooses the initial weights", "set runconfig.seed"},
    {"model.loss_scaling", "divides the loss by tokens or by sequences",
     "leave it out: the loss is the mean over tokens, and so are its gradients"},
    {"model.loss_weight", "multiplies the loss", "leave it out; scale optimizer.learning_rate"},
    {"model.tf_summary", "writes tensors for TensorBoard",
     "leave it out: TensorBoard's events have each step (docs/reference/metrics.md); weft waves shows what tiles "
     "compute"},
    {"optimizer.beta1", "is the decay of the first moment", "set optimizer.betas \"[BETA1, BETA2]\""},
    {"optimizer.beta2", "is the decay of the second moment", "set optimizer.betas \"[BETA1, BETA2]\""},
    {"optimizer.max_gradient_value", "clips each value of the gradient",
     "set optimizer.max_gradient_norm, which clips the whole"},
    {"optimizer.grad_accum_steps", "adds the gradients of this number of batches for a step", kAccumulate},
    {"optimizer.amsgrad", "divides by the greatest second moment so far",
     "leave it out: no optimizer here supports it"},
    {"optimizer.maximize", "maximizes instead of minimizing", "leave it out: the loss is minimized"},
    {"optimizer.adjust_learning_rate", "gives layers learning rates of their own",
     "use one optimizer.learning_rate for all tensors, or optimizer.frozen_params"},
    {"runconfig.grad_accum_steps", "adds the gradients of this number of batches for a step", kAccumulate},
    {"runconfig.gradient_accumulation_steps", "adds the gradients of this number of batches for a step", kAccumulate},
    {"runconfig.num_epochs", "trains this number of times on all data",
     "set runconfig.max_steps: epochs x samples / batch_size"},
    {"runconfig.steps_per_epoch", "calls this number of steps an epoch", "set runconfig.max_steps"},
    {"runconfig.throttle_secs", "waits this number of seconds between evaluations",
     "set runconfig.eval_frequency, in steps"},
    {"runconfig.enable_distributed", "runs on several machines",
     "leave it out: csrun_wse does (docs/howto/cluster.md)"},
    {"runconfig.multireplica", "trains on several wafers", "set runconfig.num_csx"},
    {"runconfig.compile_dir", "keeps what was compiled", "use --mode compile_only --save FILE, then --plan FILE"},
    {"runconfig.compile_only", "compiles, and runs nothing", "set runconfig.mode compile_only, or leave it out"},
    {"runconfig.validate_only", "checks, and compiles nothing", "set runconfig.mode validate_only, or leave it out"},
    {"runconfig.is_pretrained_checkpoint", "takes a checkpoint's weights alone",
     "leave it out: runconfig.checkpoint_path does; runconfig.model_dir continues with everything"},
    {"runconfig.autoload_last_checkpoint", "continues with the newest checkpoint",
     "leave it out: runconfig.model_dir always does"},
    {"runconfig.experimental", "has experimental settings", "leave it out: all of them are keys here"},
    {"runconfig.dist_addr", "names the machine at which all processes meet",
     "leave it out: csrun_wse does (docs/howto/cluster.md)"},
    {"runconfig.init_method", "names the place at which all processes meet",
     "leave it out: processes meet at MASTER_ADDR and MASTER_PORT, which csrun_wse sets (docs/howto/cluster.md)"},
    {"runconfig.check_loss_values", "stops at a loss that is not finite",
     "leave it out: a step with such a loss has diverged, and runconfig.on_divergence chooses the action"},
    {"runconfig.target_device", "chooses CPU, GPU or CSX", "set wafer.backend model, rtl or fpga"},
    {"runconfig.cs_ip", "is the wafer's address", "give --cs_ip ADDRESS, or set fpga.device udp:ADDRESS"},
    {"sparsity.update", "gives the steps at which masks change",
     "set sparsity.update_freq, update_start and update_stop, in steps"},
    {"sparsity.schedule", "gives the steps at which masks change",
     "set sparsity.update_freq, update_start and update_stop, in steps"},
    {"sparsity.param_name_patterns", "chooses matrices by a regular expression",
     "set sparsity.params_filter \"[PATTERN, ...]\", of names as h.*.mlp.c_fc.weight"},
    {"cerebras", "keeps the state of data iterators", "leave it out: a checkpoint has the place in the data"},
    {"csconfig", "configures a wafer's system", "use the sections wafer, swarmx and memoryx"},
};

constexpr Lacking kPhaseKeys[] = {
    {"disable_lr_steps_reset", "counts steps from the run's beginning",
     "leave it out: each phase counts its own steps"},
    {"cycle", "begins again at its end", kCycle},
    {"T_0", "is the first cycle's length", kCycle},
    {"T_mult", "makes each cycle longer by this factor", kCycle},
    {"coefficient", "multiplies the rate in each step",
     "use Exponential with total_iters 1, whose decay_rate is the factor of a step"},
};

constexpr auto kInPlace = "leave it out: each rank runs in the folder in which you are";
constexpr auto kParts =
    "leave it out: MemoryX is the root, or ranks of its own (memoryx.ranks, docs/howto/run_several_processes.md)";

constexpr Lacking kLackingFlags[] = {
    {"compile_dir", "keeps what was compiled", "use --mode compile_only --save FILE, then --plan FILE"},
    {"multireplica", "trains on several wafers", "use --num_csx N"},
    {"num_workers_per_csx", "reads data in this number of processes for each wafer", kOneProcess},
    {"num_wgt_servers", "spreads weights over this number of machines", kParts},
    {"num_act_servers", "spreads data over this number of machines", kOneProcess},
    {"mount_dirs", "makes folders known inside the cluster", kInPlace},
    {"python_paths", "makes modules known inside the cluster", kInPlace},
    {"credentials_path", "authenticates the user of the cluster",
     "use --swarmx.key_file FILE (docs/reference/joining.md)"},
    {"mgmt_address", "is the address of the cluster's scheduler",
     "use csrun_wse, which asks Slurm (docs/howto/cluster.md)"},
    {"mgmt_namespace", "is the owner of the wafers", "use csrun_wse --partition P (docs/howto/cluster.md)"},
    {"job_labels", "labels a job", "use csrun_wse --job-name NAME (docs/howto/cluster.md)"},
    {"job_time_sec", "ends a job after so long", "use csrun_wse --time T (docs/howto/cluster.md)"},
    {"debug_args_path", "hands settings to the cluster", "any key can be given: --section.key VALUE"},
    {"disable_strict_checkpoint_loading", "takes the tensors that it finds of a checkpoint",
     "leave it out: a checkpoint has each tensor, or is rejected"},
    {"load_checkpoint_states", "chooses the parts of a checkpoint to take",
     "leave it out: model_dir continues with everything, --checkpoint_path begins with the weights"},
    {"drop_data", "trains without data", "use --mode compile_only"},
    {"logging", "chooses the amount of output", "use --runconfig.log_steps N"},
    {"device", "chooses CPU, GPU or CSX", "use --backend model, rtl or fpga"},
};

}  // namespace

std::span<const OtherName> other_names() { return kOtherNames; }

std::string_view own_key(std::string_view name) {
  const auto* other = std::ranges::find(kOtherNames, name, &OtherName::name);
  return other == std::end(kOtherNames) ? name : other->key;
}

bool is_former_key(std::string_view name) {
  const auto* other = std::ranges::find(kOtherNames, name, &OtherName::name);
  return other != std::end(kOtherNames) && other->former;
}

std::string_view own_phase_key(std::string_view name) {
  return name == "steps" || name == "decay_steps" ? "total_iters" : name;
}

std::span<const Lacking> lacking_keys() { return kKeys; }
std::span<const Lacking> lacking_phase_keys() { return kPhaseKeys; }
std::span<const Lacking> lacking_flags() { return kLackingFlags; }

const Lacking* find_lacking_key(std::string_view name) {
  if (const Lacking* lacking = find_lacking(kKeys, name)) return lacking;
  constexpr std::string_view kEval = "eval_input.", kTrain = "train_input.", kRun = "runconfig.";
  if (name.starts_with(kEval)) return find_lacking(kKeys, std::string(kTrain).append(name.substr(kEval.size())));
  return name.starts_with(kRun) ? find_lacking(kLackingFlags, name.substr(kRun.size())) : nullptr;
}

const Lacking* find_lacking(std::span<const Lacking> table, std::string_view name) {
  const auto at = std::ranges::find(table, name, &Lacking::name);
  return at == table.end() ? nullptr : &*at;
}

Refusal refuse_model_zoo_key(const std::string& name, const Place& place) {
  const Lacking& lacking = *find_lacking_key(name);
  return place.error(name, fmt::format("only the Model Zoo has it, where it {}", lacking.would), lacking.nearest);
}

}  // namespace weft::config
