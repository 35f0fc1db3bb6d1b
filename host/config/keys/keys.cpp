#include "host/config/keys/keys.hpp"

#include "host/memoryx/optimizer.hpp"
#include "sw/base/token_id.hpp"
#include "sw/network/network.hpp"

namespace weft::config {
namespace {

constexpr double kAny = std::numeric_limits<double>::infinity();
constexpr double kBig = 1 << 30;

template <class Owner>
Key<Owner> required(Key<Owner> key) {
  key.required = true;
  return key;
}
template <class Owner>
Key<Owner> below_max(Key<Owner> key) {
  key.below = true;
  return key;
}
template <class Owner>
Key<Owner> one_of(Key<Owner> key, std::vector<std::string_view> choices) {
  key.choices = std::move(choices);
  return key;
}

template <class Owner>
Key<Owner> several(Key<Owner> key) {
  key.several = true;
  return key;
}
template <class Owner>
Key<Owner> repeats(Key<Owner> key) {
  key.repeats = true;
  return key;
}
template <class Owner>
Key<Owner> automatic(Key<Owner> key) {
  key.automatic = true;
  return key;
}

}  // namespace

#define WEFT_SLOT(member) [](Config& c) -> Slot { return &c.member; }

const std::vector<Key<Config>>& config_keys() {
  static const std::vector<Key<Config>> keys = {
      required<Config>({"train_input.data_dir", kDerived, WEFT_SLOT(train_input.data_dir),
                        "a text, a token shard (*.bin, or recognized by its magic number), samples in HDF5 (*.h5), or "
                        "a folder of *.txt "
                        "and *.jsonl, of *.bin or of *.h5; or a pattern, \"DIR/train_*.bin\""}),
      {"train_input.more_data_dirs", kDerived, WEFT_SLOT(train_input.more_data_dirs),
       "list of further data sets, each given as data_dir is; samples are taken from all, by weights "
       "(docs/howto/text.md)"},
      {"train_input.weights", kDerived, WEFT_SLOT(train_input.weights),
       "shares of the samples for data_dir and each of more_data_dirs, with any sum; equal by default", 0, kBig},
      one_of<Config>(
          {"train_input.tokenizer", kDerived, WEFT_SLOT(train_input.tokenizer),
           "tokenizer of text: UTF-8 characters, bytes, or the one in vocab_file, as for shards (docs/howto/text.md)"},
          {"char", "byte", "bpe", "sentencepiece"}),
      one_of<Config>({"train_input.shard_format", kDerived, WEFT_SLOT(train_input.shard_format),
                      "format of token shards: llm.c's, with a header; nanoGPT's, raw uint16"},
                     {"llm.c", "nanogpt"}),
      {"train_input.pad_documents", kSamples, WEFT_SLOT(train_input.pad_documents),
       "start a sample at each document, padded with tokens that do not count; otherwise samples are cut from the "
       "whole "
       "text"},
      {"train_input.use_vsl", kBits, WEFT_SLOT(model.vsl),
       "samples in HDF5 are of several documents each (5 rows, docs/howto/text.md): attention does not cross them, and "
       "positions restart"},
      {"train_input.vocab_file", kDerived, WEFT_SLOT(train_input.vocab_file),
       "vocabulary: for tokenizer bpe vocab.json or tokenizer.json; for sentencepiece *.model; for both a Hugging Face "
       "folder"},
      {"train_input.merges_file", kDerived, WEFT_SLOT(train_input.merges_file), "merges.txt of that vocab.json"},
      required<Config>({"train_input.batch_size", kSamples, WEFT_SLOT(train_input.batch_size),
                        "sequences per step, over all wafers", 1, kBig}),
      automatic<Config>({"train_input.micro_batch_size", kBits, WEFT_SLOT(model.micro_batch),
                         "sequences that a wafer computes at once, a divisor of batch_size; auto: the estimate chooses",
                         1, 65535}),
      {"train_input.auto_num_csx", kNone, WEFT_SLOT(train_input.auto_num_csx),
       "number of wafers for which micro_batch_size: auto minimizes the time of a step; num_csx does not count, "
       "because "
       "the result must not depend on it",
       1, 1024},
      {"train_input.shuffle", kSamples, WEFT_SLOT(train_input.shuffle),
       "shuffle the samples by the seed; otherwise file order"},
      {"train_input.seed", samples_if(shuffles), WEFT_SLOT(train_input.seed), "random seed for shuffling", 0, kBig},

      {"eval_input.data_dir", kNone, WEFT_SLOT(eval_input.data_dir),
       "evaluation data, given as train_input.data_dir is"},
      {"eval_input.batch_size", kNone, WEFT_SLOT(eval_input.batch_size), "sequences per evaluation step", 1, kBig},

      {"model.network", kDerived, WEFT_SLOT(model.network),
       "gpt2, cerebras_gpt, gptj, llama, bert, bert_pretraining, or the path of a network file *.yaml"},
      required<Config>(
          {"model.hidden_size", kBits, WEFT_SLOT(model.hidden), "features of the residual stream", 1, 65535}),
      required<Config>({"model.num_hidden_layers", kBits, WEFT_SLOT(model.layers), "transformer blocks", 1, 4096}),
      required<Config>(
          {"model.num_heads", kBits, WEFT_SLOT(model.heads), "attention heads; divides hidden_size", 1, 65535}),
      {"model.num_kv_heads", bits_if(shares_kv), WEFT_SLOT(model.kv_heads),
       "heads of keys and values, a divisor of num_heads; 0: num_heads (docs/explanation/grouped_heads.md)", 0, 65535},
      {"model.rotary_dim", kBits, WEFT_SLOT(model.rotary_dim),
       "features of a head that are rotated by position, in networks with rotary positions (gptj, llama)", 0, 65535},
      one_of<Config>({"model.rotary_layout", bits_if(rotates), WEFT_SLOT(model.rotary.layout),
                      "features that rotate together: neighbours, or feature i of each half, as in Hugging Face's "
                      "LLaMA"},
                     {"pairs", "halves"}),
      {"model.rope_theta", bits_if(rotates), WEFT_SLOT(model.rotary.theta), "base of rotary frequencies", 1, 1e12},
      one_of<Config>({"model.rope_scaling", bits_if(rotates), WEFT_SLOT(model.rotary.scaling),
                      "scaling of rotary frequencies for texts longer than those a model was trained with: linear: all "
                      "are divided by rope_scaling_factor; llama3: only the low ones"},
                     {"none", "linear", "llama3"}),
      {"model.rope_scaling_factor", bits_if(scales_rotation), WEFT_SLOT(model.rotary.factor),
       "divisor of scaled rotary frequencies", 1, 1e6},
      {"model.rope_low_freq_factor", bits_if(scales_low), WEFT_SLOT(model.rotary.low_turns),
       "rope_scaling llama3: frequencies with fewer rotations over rope_original_length tokens are divided", 1e-6, 1e6},
      {"model.rope_high_freq_factor", bits_if(scales_low), WEFT_SLOT(model.rotary.high_turns),
       "rope_scaling llama3: frequencies with more rotations stay; those between are interpolated", 1e-6, 1e6},
      {"model.rope_original_length", bits_if(scales_low), WEFT_SLOT(model.rotary.original_length),
       "rope_scaling llama3: sequence length of the model's first training", 1, kBig},
      {"model.filter_size", kBits, WEFT_SLOT(model.filter), "features inside the MLP; 0: 4 x hidden_size", 0, 65535},
      required<Config>({"model.max_sequence_length", kBits, WEFT_SLOT(model.seq), "tokens of a sequence", 1, 65535}),
      {"model.document_end", kBits, WEFT_SLOT(model.document_end),
       "token that ends a document: attention does not cross it (docs/howto/text.md); -1: attention over the whole "
       "sample",
       -1, kMostTokens - 1},
      {"model.num_segments", kBits, WEFT_SLOT(model.segments),
       "kinds of segments, in networks with embeddings of them (bert: 2)", 0, kMostSegments},
      {"model.num_classes", kBits, WEFT_SLOT(model.classes),
       "classes that a loss compares, in networks with such a loss (bert_pretraining: 2); 1 for squared_error", 0,
       kMostClasses},
      {"model.padding_token", kBits, WEFT_SLOT(model.padding_token),
       "token that fills a sample's end, which no other token sees, in networks whose attention is not causal "
       "(docs/howto/text.md); -1: none",
       -1, kMostTokens - 1},
      required<Config>({"model.vocab_size", kBits, WEFT_SLOT(model.vocab),
                        "size of the vocabulary; at least that of the corpus", 2, kMostTokens}),
      {"model.share_embedding_weights", kBits, WEFT_SLOT(model.tied),
       "use the token embedding as the weight of the head"},
      one_of<Config>({"model.recompute", kNone, WEFT_SLOT(model.recompute),
                      "block: keep only the input of each block and recompute the rest; less SRAM, same bits (for the "
                      "same train_input.micro_batch_size and wafer.sequence_columns: auto may choose others)"},
                     {"none", "block"}),
      {"model.layer_norm_epsilon", kBits, WEFT_SLOT(model.ln_eps), "constant that LayerNorm adds to the variance",
       1e-12, 1},
      below_max<Config>({"model.label_smoothing", kBits, WEFT_SLOT(model.label_smoothing),
                         "part of a label's weight that is spread over all tokens "
                         "(docs/reference/optimizers.md)",
                         0, 1}),
      {"model.residual_dropout_rate", kBits, WEFT_SLOT(model.residual_dropout),
       "part of the features that training drops from what is added to the residual stream "
       "(docs/explanation/dropout.md)",
       0, network::kMostDropout},
      {"model.embedding_dropout_rate", kBits, WEFT_SLOT(model.embedding_dropout),
       "part of the features of embeddings that training drops", 0, network::kMostDropout},
      {"model.attention_dropout_rate", kBits, WEFT_SLOT(model.attention_dropout),
       "part of the weights of attention that training drops", 0, network::kMostDropout},

      one_of<Config>({"optimizer.optimizer_type", kBits, WEFT_SLOT(optimizer.optimizer_type),
                      "optimizer, see docs/reference/optimizers.md"},
                     memoryx::rule_names()),
      {"optimizer.betas", bits_if(has_betas), WEFT_SLOT(optimizer.betas),
       "decay of the two moments; the default depends on the optimizer, for Lion [0.9, 0.99]", 0, 0.99999999},
      {"optimizer.eps", bits_if(has_eps), WEFT_SLOT(optimizer.eps), "constant added to the square root in the update",
       1e-30, 1},
      below_max<Config>(
          {"optimizer.momentum", bits_if(has_momentum), WEFT_SLOT(optimizer.momentum), "momentum of SGD", 0, 1}),
      {"optimizer.dampening", bits_if(uses_momentum), WEFT_SLOT(optimizer.dampening),
       "damping of the gradient in SGD's momentum", 0, 1},
      {"optimizer.nesterov", bits_if(uses_momentum), WEFT_SLOT(optimizer.nesterov), "use SGD with Nesterov momentum"},
      {"optimizer.weight_decay", kBits, WEFT_SLOT(optimizer.weight_decay),
       "weight decay of matrices; decoupled in AdamW and Lion, in the gradient in Adam and SGD", 0, 1},
      {"optimizer.no_decay_params", bits_if(decays), WEFT_SLOT(optimizer.no_decay_params),
       "names or patterns of matrices without weight decay"},
      {"optimizer.decay_params", bits_if(decays), WEFT_SLOT(optimizer.decay_params),
       "names or patterns of biases and norms with weight decay, as \"*\" for all"},
      {"optimizer.frozen_params", kBits, WEFT_SLOT(optimizer.frozen_params),
       "names or patterns of tensors that do not change"},
      {"optimizer.correct_bias", bits_if(has_eps), WEFT_SLOT(optimizer.correct_bias),
       "correct the bias of moments that start at zero"},
      {"optimizer.max_gradient_norm", kBits, WEFT_SLOT(optimizer.max_gradient_norm),
       "clip the norm of the whole gradient; 0: never"},
      {"optimizer.learning_rate", kBits, WEFT_SLOT(optimizer.learning_rate),
       "learning rate: a number, or a list of phases (below)"},

      below_max<Config>({"sparsity.sparsity", bits_if(gives_sparsity), WEFT_SLOT(sparsity.sparsity),
                         "share of the chosen tensors' weights that are zero, below 1", 0, 1}),
      one_of<Config>({"sparsity.init_method", bits_if(is_sparse), WEFT_SLOT(sparsity.init_method),
                      "selection of the remaining weights: by seed, the largest initial ones, or those not zero in the "
                      "checkpoint"},
                     {"random", "topk", "checkpoint"}),
      {"sparsity.params_filter", bits_if(is_sparse), WEFT_SLOT(sparsity.params_filter),
       "names or patterns of the matrices to make sparse"},
      {"sparsity.seed", bits_if(draws_masks), WEFT_SLOT(sparsity.seed),
       "random seed for masks and for the weights that set grows", 0, kBig},
      one_of<Config>({"sparsity.algorithm", bits_if(is_sparse), WEFT_SLOT(sparsity.algorithm),
                      "static or dynamic sparsity: set updates masks by weights and chance, rigl by gradients, gmp "
                      "prunes gradually"},
                     {"static", "set", "rigl", "gmp"}),
      {"sparsity.update_freq", bits_if(updates_masks), WEFT_SLOT(sparsity.update_freq), "steps between mask updates", 1,
       kBig},
      {"sparsity.update_start", bits_if(updates_masks), WEFT_SLOT(sparsity.update_start),
       "steps before the first mask update", 0, kBig},
      {"sparsity.update_stop", bits_if(updates_masks), WEFT_SLOT(sparsity.update_stop),
       "steps after which masks are fixed; required for dynamic sparsity", 0, kBig},
      {"sparsity.drop_fraction", bits_if(exchanges_weights), WEFT_SLOT(sparsity.drop_fraction),
       "set and rigl: initial share of the weights that a mask update exchanges; decays as a cosine", 0, 1},
      below_max<Config>({"sparsity.initial_sparsity", bits_if(prunes_gradually), WEFT_SLOT(sparsity.initial_sparsity),
                         "gmp: initial sparsity", 0, 1}),

      {"runconfig.max_steps", kNone, WEFT_SLOT(runconfig.max_steps), "total number of training steps", 1, kBig},
      {"runconfig.num_steps", kNone, WEFT_SLOT(runconfig.num_steps), "overrides max_steps if above 0", 0, kBig},
      {"runconfig.num_csx", kNone, WEFT_SLOT(runconfig.num_csx),
       "number of wafers; changes the speed, never the result", 1, 1024},
      {"runconfig.log_steps", kNone, WEFT_SLOT(runconfig.log_steps), "steps between printed lines", 1, kBig},
      one_of<Config>({"runconfig.log_style", kNone, WEFT_SLOT(runconfig.log_style),
                      "style of printed lines: a table, or \"global_step = 50, loss = 7.30, rate = 0.492 steps/sec\""},
                     {"table", "global_step"}),
      {"runconfig.save_summary_steps", kNone, WEFT_SLOT(runconfig.save_summary_steps),
       "steps between TensorBoard events, in model_dir/train; 0: none, also for evaluations", 0, kBig},
      one_of<Config>({"runconfig.on_divergence", kBits, WEFT_SLOT(runconfig.on_divergence),
                      "action when a loss or gradient is not finite, or the loss jumps: stop, skip that step, or "
                      "return to the last checkpoint and continue with the next step's samples"},
                     {"stop", "skip", "rollback"}),
      {"runconfig.max_loss_jump", kBits, WEFT_SLOT(runconfig.max_loss_jump),
       "nats by which a loss may exceed the average of earlier ones before the step counts as diverged; 0: no limit", 0,
       kAny},
      {"runconfig.eval_frequency", kNone, WEFT_SLOT(runconfig.eval_frequency),
       "steps between evaluations in training; 0: none", 0, kBig},
      {"runconfig.eval_steps", kNone, WEFT_SLOT(runconfig.eval_steps), "steps of each evaluation; 0: all of eval_input",
       0, kBig},
      {"runconfig.seed", kBits, WEFT_SLOT(runconfig.seed), "random seed for initialization and sampling", 0, kBig},
      one_of<Config>({"runconfig.mode", kNone, WEFT_SLOT(runconfig.mode), "mode of operation (README of host/cli)"},
                     {"train", "eval", "train_and_eval", "compile_only", "validate_only", "generate"}),
      {"runconfig.model_dir", kNone, WEFT_SLOT(runconfig.model_dir), "folder for checkpoints and metrics.jsonl"},
      {"runconfig.checkpoint_steps", bits_if(rolls_back), WEFT_SLOT(runconfig.checkpoint_steps),
       "steps between checkpoints; 0: none by count. One is also saved at the end, on a signal, and after ten minutes "
       "without one, which the next one replaces",
       0, kBig},
      {"runconfig.keep_checkpoint_max", kNone, WEFT_SLOT(runconfig.keep_checkpoint_max),
       "number of newest checkpoints to keep; 0: all; the last one that was trained from and that of step 0 are always "
       "kept",
       0, kBig},
      {"runconfig.save_initial_checkpoint", kNone, WEFT_SLOT(runconfig.save_initial_checkpoint),
       "also save a checkpoint before the first step"},
      {"runconfig.keep_best", kNone, WEFT_SLOT(runconfig.keep_best),
       "keep the checkpoint with the lowest eval loss as best.safetensors"},
      {"runconfig.checkpoint_path", kDerived, WEFT_SLOT(runconfig.checkpoint_path),
       "initial weights, if model_dir has no checkpoint: a safetensors file, a Hugging Face folder, llm.c's .bin"},
      repeats<Config>(
          {"runconfig.prompt", kNone, WEFT_SLOT(runconfig.prompt), "prompt of mode generate; several: a list"}),
      repeats<Config>({"runconfig.prompt_tokens", kNone, WEFT_SLOT(runconfig.prompt_tokens),
                       "prompt as token ids, \"1,2,3\"; the output is ids, too"}),
      {"runconfig.prompts_file", kNone, WEFT_SLOT(runconfig.prompts_file), "file with one prompt per line"},
      {"runconfig.max_new_tokens", kNone, WEFT_SLOT(runconfig.max_new_tokens), "tokens to generate", 1, kBig},
      {"runconfig.temperature", kNone, WEFT_SLOT(runconfig.temperature),
       "sampling temperature; 0: always the most likely token", 0, 1000},
      {"runconfig.top_k", kNone, WEFT_SLOT(runconfig.top_k), "sample from this many most likely tokens; 0: from all", 0,
       kMostTokens},
      {"runconfig.top_p", kNone, WEFT_SLOT(runconfig.top_p),
       "sample from the fewest most likely tokens, of those of top_k, that have this share of the probability", 1e-6,
       1},
      one_of<Config>({"runconfig.use_cache", kNone, WEFT_SLOT(runconfig.use_cache),
                      "keep keys and values on the wafer in mode generate; auto: if they fit and this is faster"},
                     {"auto", "always", "never"}),
      repeats<Config>(
          {"runconfig.stop", kNone, WEFT_SLOT(runconfig.stop),
           "text that ends the output of generate and is left out of it; with prompt_tokens, ids; several: a list"}),

      several<Config>(one_of<Config>(
          {"wafer.backend", kNone, WEFT_SLOT(backend),
           "functional model, simulated RTL or board: same bits; or several, \"rtl,model\": wafers alternate"},
          backend_names())),
      one_of<Config>({"wafer.check", kNone, WEFT_SLOT(check),
                      "compare each wafer with a second one, whose words must be the same"},
                     backend_names(&BackendKind::second, "none")),
      automatic<Config>({"wafer.rows", kBits, WEFT_SLOT(wafer.rows),
                         "tiles from north to south, over which features are distributed; auto: the board's", 1,
                         machine::WaferShape::kMostRows}),
      automatic<Config>({"wafer.row_groups", kBits, WEFT_SLOT(row_groups),
                         "groups of neighbouring rows, each with all features and other sequences; a divisor of rows, "
                         "valves and micro_batch_size; auto: chosen by the estimate",
                         1, machine::WaferShape::kMostRows}),
      automatic<Config>({"wafer.cols", kBits, WEFT_SLOT(wafer.cols),
                         "tiles from west to east, over which tokens are distributed; auto: the board's", 1,
                         machine::WaferShape::kMostCols}),
      {"wafer.lanes", kBits, WEFT_SLOT(wafer.lanes), "multiply-adds per tile and cycle: 2, 4, 8 or 16", 2, 16},
      automatic<Config>(
          {"wafer.sram_kib", kNone, WEFT_SLOT(wafer.sram_kib), "SRAM of a tile; auto: the board's", 1, 128}),
      automatic<Config>({"wafer.valves", kNone, WEFT_SLOT(wafer.valves),
                         "number of intake valves, at most rows; auto: as many as the streams need, on a board 1", 1,
                         machine::WaferShape::kMostRows}),
      {"wafer.psum_cycles", kNone, WEFT_SLOT(wafer.psum_cycles),
       "cycles per partial sum: 4 (copy, reset, two adds), or 2", 2, 4},
      automatic<Config>(
          {"wafer.sequence_columns", kDerived, WEFT_SLOT(wafer.sequence_columns),
           "number of adjacent columns that share a sequence; columns behind the last sequence stay free, but "
           "not a single one; auto: the estimate chooses",
           1, machine::WaferShape::kMostCols}),
      one_of<Config>({"wafer.attention", kBits, WEFT_SLOT(model.attention),
                      "form of attention over several columns in training and evaluation: each row stores the scores "
                      "of its head, or the rows of a head share its keys (docs/explanation/attention_rows.md)"},
                     {"stored", "shared"}),
      {"wafer.threads", kNone, WEFT_SLOT(wafer_threads), "threads per simulated wafer; 0: an equal share of the cores",
       0, 128},
      {"wafer.depth", kNone, WEFT_SLOT(wafer_depth),
       "messages that a link of the model buffers per color, 4 as in the RTL; 0: unlimited, and faster", 0, 128},

      {"fpga.device", kNone, WEFT_SLOT(fpga_device),
       "device of each wafer on a board: a serial device, udp:ADDRESS:PORT, emulated or emulated:udp"},
      {"fpga.baud", kNone, WEFT_SLOT(fpga_baud), "rate of serial devices", 300, 100000000},

      {"swarmx.fanout", kNone, WEFT_SLOT(swarmx_fanout), "maximum number of children of a tree node", 2, 1024},
      {"swarmx.nodes", kNone, WEFT_SLOT(swarmx_nodes),
       "number of ranks that are tree nodes, between the root and the wafers of a run of several processes", 0, 1024},
      {"swarmx.min_csx", kNone, WEFT_SLOT(swarmx_min_csx),
       "minimum number of wafers: with fewer, a run of several processes waits, then saves and stops", 1, kBig},
      {"swarmx.silence", kNone, WEFT_SLOT(swarmx_silence),
       "seconds without a message after which a process counts as lost", 0.1, 86400},
      {"swarmx.timeout", kNone, WEFT_SLOT(swarmx_timeout), "seconds to wait for processes to connect or reconnect", 0.1,
       86400},
      {"swarmx.straggler", kNone, WEFT_SLOT(swarmx_straggler),
       "factor of the usual time after which another wafer also computes a micro-batch; 0: never", 0, 1000},
      {"swarmx.key_file", kNone, WEFT_SLOT(swarmx_key_file),
       "shared key, of mode 0600, that authenticates the processes of a run; default: MUNGE, under Slurm"},
      {"memoryx.threads", kNone, WEFT_SLOT(memoryx_threads), "threads of the optimizer", 1, 256},
      {"memoryx.ranks", kNone, WEFT_SLOT(memoryx_ranks),
       "number of ranks that hold weights and optimizer state in a run of several processes, each its own tensors; 0: "
       "the root holds all",
       0, 1024},
      {"memoryx.dram_gib", kNone, WEFT_SLOT(memoryx_dram_gib),
       "maximum GiB of weights, moments and sums that a training run keeps in DRAM, the rest in a file; 0: all", 0,
       1 << 20},
      {"memoryx.flash_dir", kNone, WEFT_SLOT(memoryx_flash_dir),
       "folder of the file for the state beyond memoryx.dram_gib, on a local disk; default: model_dir"},
      {"memoryx.eager_update", kNone, WEFT_SLOT(memoryx_eager_update),
       "update weights as their gradients arrive, unless gradients are clipped: faster, but a failed step loses all "
       "progress since the last checkpoint"},

      {"metrics.prometheus", kNone, WEFT_SLOT(metrics_prometheus),
       "text file for Prometheus, e.g. for the textfile collector, rewritten after each training step"},
  };
  return keys;
}

}  // namespace weft::config
