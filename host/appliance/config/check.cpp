#include "host/appliance/config/check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "host/appliance/config/params_filter.hpp"
#include "host/appliance/config/phases.hpp"
#include "host/appliance/counted.hpp"
#include "host/memoryx/fixed_point.hpp"
#include "sw/compiler/tensors.hpp"
#include "weft_lanes.hpp"

namespace weft {
namespace {

/// The divisors of `whole` on both sides of `value`: "4 or 8".
std::string divisors_near(int value, int whole) {
  int below = value, above = value;
  while (below > 1 && whole % below != 0) --below;
  while (above < whole && whole % above != 0) ++above;
  if (value > whole) return fmt::format("{}", whole);
  return below == above ? fmt::format("{}", below) : fmt::format("{} or {}", below, above);
}

void check_divides(const Config& c, const char* key, int value, const char* whole_name, int whole) {
  if (whole % value == 0) return;
  throw c.error(key, fmt::format("{} does not divide {} {}", value, whole_name, whole),
                "use " + divisors_near(value, whole));
}

/// A wafer's gradients are added as integers, which have room for so many.
void check_batch(const Config& c) {
  const int most = static_cast<int>(kMaxContributions) / (c.model.tied ? 2 : 1);  // a tied embedding adds two
  if (c.micro_batches() <= most) return;
  throw c.error(
      "train_input.batch_size",
      fmt::format("{} sequences are {} micro-batches, more than {}", c.train_input.batch_size, c.micro_batches(), most),
      fmt::format("use batch_size {}, or larger micro-batches", most * c.model.micro_batch));
}

void check_smoothing(const Config& c) {
  if (c.model.label_smoothing == 0 || c.model.smoothing() != 0) return;
  throw c.error("model.label_smoothing",
                fmt::format("{:g} is so little that a bf16 keeps all of the label", c.model.label_smoothing),
                "use 0.002 or more, or 0");
}

/// A step that is skipped has to leave the weights of before.
void check_early(const Config& c) {
  if (!c.memoryx_early || (c.runconfig.on_divergence == "stop" && c.runconfig.max_loss_jump == 0)) return;
  throw c.error("memoryx.early", "a step that has changed weights cannot be skipped any more",
                "leave it out, or set runconfig.on_divergence stop");
}

/// What a run goes back to is a checkpoint that every run of these settings has, wherever it was interrupted.
void check_rollback(const Config& c) {
  if (c.runconfig.on_divergence != "rollback" || c.runconfig.checkpoint_steps > 0) return;
  throw c.error("runconfig.on_divergence", "rollback has no checkpoints to go back to",
                "set runconfig.checkpoint_steps, or use skip");
}

void check_tokenizer(const Config& c) {
  const InputConfig& input = c.train_input;
  const bool vocab = !input.vocab_file.empty(), merges = !input.merges_file.empty();
  const bool of_file = input.tokenizer == "bpe" || input.tokenizer == "sentencepiece";
  if (!of_file && (vocab || merges))
    throw c.error(vocab ? "train_input.vocab_file" : "train_input.merges_file",
                  "means nothing to train_input.tokenizer " + input.tokenizer, "set train_input.tokenizer bpe");
}

void check_weights(const Config& c) {
  const InputConfig& input = c.train_input;
  constexpr auto kKey = "train_input.weights";
  const std::vector<std::string> sets = input.data_dirs();
  if (std::ranges::any_of(sets, &std::string::empty) && sets.size() > 1)
    throw c.error("train_input.more_data_dirs", "has an empty name", "name a text, a token shard or a folder");
  if (input.weights.empty()) return;
  if (input.weights.size() != sets.size())
    throw c.error(kKey,
                  fmt::format("has {}, but there {} {}", counted(input.weights.size(), "weight"),
                              sets.size() == 1 ? "is" : "are", counted(sets.size(), "data set")),
                  "give one for data_dir and one for each of more_data_dirs");
  for (const double weight : input.weights)
    if (weight <= 0)
      throw c.error(kKey, fmt::format("{} is no share of the samples", weight),
                    "use a number above 0, or leave that data set out");
}

void check_eval(const Config& c) {
  if (c.runconfig.keep_best && c.runconfig.eval_frequency == 0 && c.runconfig.mode != "train_and_eval")
    throw c.error("runconfig.keep_best", "nothing is evaluated", "set runconfig.eval_frequency");
  if (!c.eval_input.data_dir.empty()) return;
  const std::string& mode = c.runconfig.mode;
  if (mode == "eval" || mode == "train_and_eval") {
    throw c.error("runconfig.mode", fmt::format("{} has nothing to evaluate on", mode), "set eval_input.data_dir");
  }
  if (c.runconfig.eval_frequency > 0) {
    throw c.error("runconfig.eval_frequency", "there is nothing to evaluate on", "set eval_input.data_dir");
  }
}

/// What a board is to say needs a board, and each board a device of its own.
void check_board(const Config& c) {
  for (const auto& [key, value] : {std::pair("wafer.rows", c.wafer.rows), std::pair("wafer.cols", c.wafer.cols),
                                   std::pair("wafer.sram_kib", c.wafer.sram_kib)})
    if (value == 0 && !c.runs_on("fpga"))
      throw c.error(key, "auto, but there is no board to ask", "write a number, or use wafer.backend fpga");
  const int boards = c.boards_before(c.wafers());
  const auto devices = static_cast<int>(c.fpga_device.size());
  const bool any = devices == 1 && c.fpga_device[0].starts_with("emulated");
  if (boards > devices && !any)
    throw c.error("fpga.device",
                  fmt::format("{} for {} on boards", counted(devices, "device"), counted(boards, "wafer")),
                  "name one for each, e.g. \"[/dev/ttyUSB0, /dev/ttyUSB1]\"");
}

void check_generate(const Config& c) {
  const RunConfig& run = c.runconfig;
  if (run.mode != "generate") return;
  struct Given {
    const char* key;
    bool given;
  };
  const Given all[] = {{"runconfig.prompt", !run.prompt.empty()},
                       {"runconfig.prompt_tokens", !run.prompt_tokens.empty()},
                       {"runconfig.prompts_file", !run.prompts_file.empty()}};
  const Given* known = nullptr;
  for (const Given& one : all) {
    if (one.given && known != nullptr)
      throw c.error(one.key, fmt::format("is given and {}, too", known->key), "leave one of them out");
    if (one.given) known = &one;
  }
  if (known == nullptr || (run.prompt.size() == 1 && run.prompt[0].empty()))
    throw c.error("runconfig.prompt", "missing: generate goes on with a text",
                  "give it one, e.g. --prompt \"The \", or token ids, e.g. --prompt_tokens \"1,2,3\"");
  for (const auto& [key, texts, what] :
       {std::tuple("runconfig.prompt", &run.prompt, "prompt"), {"runconfig.stop", &run.stop, "stop word"}}) {
    const auto empty = std::ranges::find(*texts, "");
    if (empty != texts->end())
      throw c.error(key, fmt::format("{} {} of {} is empty", what, empty - texts->begin() + 1, texts->size()),
                    "give it a character at least");
  }
}

void check_optimizer(const Config& c) {
  const OptimizerConfig& o = c.optimizer;
  if (o.betas.size() != 2)
    throw c.error("optimizer.betas", counted(o.betas.size(), "value") + ", not 2", "use [0.9, 0.999]");
  const std::pair<const char*, bool> of_sgd[] = {{"optimizer.momentum", o.momentum > 0},
                                                 {"optimizer.dampening", o.dampening > 0},
                                                 {"optimizer.nesterov", o.nesterov}};
  for (const auto& [key, given] : of_sgd)
    if (given && o.optimizer_type != "SGD")
      throw c.error(key, "means nothing to optimizer.optimizer_type " + o.optimizer_type,
                    "leave it out, or use SGD; optimizer.betas are the decays of moments");
  if (o.nesterov && (o.momentum == 0 || o.dampening > 0))
    throw c.error("optimizer.nesterov", "wants a momentum, and no dampening",
                  "set optimizer.momentum, e.g. 0.9, and optimizer.dampening 0");
  (void)no_decay_tensors(c);
  if (frozen_tensors(c).size() == model_tensors(c.model).size())
    throw c.error("optimizer.frozen_params", "freezes every tensor: nothing is left to train",
                  "leave some out, or use runconfig.mode eval");
}

void check_learning_rate(const Config& c) {
  const char* key = "optimizer.learning_rate";
  const std::vector<LearningRatePhase>& phases = c.optimizer.learning_rate;
  for (std::size_t i = 0; i < phases.size(); ++i) {
    const PhaseFault fault = check_phase(phases[i], i + 1 == phases.size());
    if (!fault.problem.empty())
      throw c.error(key, fmt::format("phase {} ({}) {}", i + 1, phases[i].scheduler, fault.problem), fault.hint);
  }
}

/// Of masks that are dealt anew.
void check_deals(const Config& c) {
  const SparsityConfig& s = c.sparsity;
  const auto only = [&](const char* key, bool used, const auto& value, const auto& unset, const char* of) {
    if (!used && value != unset)
      throw c.error(key, fmt::format("{}, and sparsity.algorithm is {}", of, s.algorithm),
                    "leave it out, or choose another sparsity.algorithm");
  };
  const SparsityConfig unset;
  const char* const updates = "is of masks that are dealt anew";
  only("sparsity.update_freq", s.moves(), s.update_freq, unset.update_freq, updates);
  only("sparsity.update_start", s.moves(), s.update_start, unset.update_start, updates);
  only("sparsity.update_stop", s.moves(), s.update_stop, unset.update_stop, updates);
  only("sparsity.drop_fraction", s.algorithm == "set" || s.algorithm == "rigl", s.drop_fraction, unset.drop_fraction,
       "is of set and rigl");
  only("sparsity.initial_sparsity", s.algorithm == "gmp", s.initial_sparsity, unset.initial_sparsity, "is of gmp");
  if (!s.moves()) return;
  if (s.init_method == "checkpoint" ? s.algorithm == "gmp" : s.sparsity == 0)
    throw c.error("sparsity.sparsity", fmt::format("{} needs it", s.algorithm),
                  s.init_method == "checkpoint" ? "choose another sparsity.init_method, or set or rigl"
                                                : "write a share above 0, e.g. 0.9");
  if (s.update_stop == 0)
    throw c.error("sparsity.update_stop", "missing",
                  fmt::format("add it, e.g. {}, three quarters of the steps", c.runconfig.steps() / 4 * 3));
  if (s.update_stop <= s.update_start)
    throw c.error("sparsity.update_stop", fmt::format("{} is not after update_start {}", s.update_stop, s.update_start),
                  "let updates end after they begin");
  if (s.update_freq > s.update_stop - s.update_start)
    throw c.error("sparsity.update_freq",
                  fmt::format("{} steps are more than there are from update_start to update_stop", s.update_freq),
                  fmt::format("use at most {}", s.update_stop - s.update_start));
  if (s.algorithm == "gmp" && s.initial_sparsity >= s.sparsity)
    throw c.error("sparsity.initial_sparsity",
                  fmt::format("{} is not below sparsity {}", s.initial_sparsity, s.sparsity),
                  "begin with more weights than the run ends with");
}

void check_sparsity(const Config& c) {
  const auto given = [](const auto& place) { return place.first.starts_with("sparsity."); };
  const auto first = std::ranges::find_if(c.places, given);
  const bool of_checkpoint = c.sparsity.init_method == "checkpoint";
  if (of_checkpoint && c.places.contains("sparsity.sparsity"))
    throw c.error("sparsity.sparsity", "the checkpoint's zeros say how many weights there are",
                  "leave it out, or choose another sparsity.init_method");
  if (first != c.places.end() && !c.places.contains("sparsity.sparsity") && !of_checkpoint)
    throw first->second.error("sparsity.sparsity", "missing",
                              "add it, e.g. 0.9; without the section nothing is sparse");
  check_deals(c);
  (void)sparse_tensors(c);
}

}  // namespace

void check_config(const Config& c) {
  check_paths(c);
  check_divides(c, "model.num_heads", c.model.heads, "hidden_size", c.model.hidden);
  check_divides(c, "train_input.micro_batch_size", c.model.micro_batch, "batch_size", c.train_input.batch_size);
  check_batch(c);
  check_board(c);
  if (c.wafer.rows > 0 && c.wafer.valves > c.wafer.rows) {
    throw c.error("wafer.valves", counted(c.wafer.valves, "valve") + " for " + counted(c.wafer.rows, "row"),
                  c.wafer.rows == 1 ? "use 1" : fmt::format("use 1 to {}", c.wafer.rows));
  }
  const int lanes = c.wafer.lanes;
  if (lanes != 2 && lanes != 4 && lanes != 8 && lanes != 16)
    throw c.error("wafer.lanes", fmt::format("{} is not 2, 4, 8 or 16", lanes), "use 4");
  if (c.has_backend("rtl") && !rtl_has(lanes)) {
    throw c.error("wafer.lanes",
                  fmt::format("{}, but this build simulates RTL of {}", lanes, fmt::join(kRtlLanes, ", ")),
                  fmt::format("make build LANES={}, or use wafer.backend model", lanes));
  }
  check_optimizer(c);
  check_early(c);
  check_smoothing(c);
  check_rollback(c);
  check_tokenizer(c);
  check_weights(c);
  check_eval(c);
  check_generate(c);
  check_learning_rate(c);
  check_sparsity(c);
}

}  // namespace weft
