#include "host/appliance/config/lacking.hpp"

#include <algorithm>
#include <iterator>

namespace weft {
namespace {

struct Lacking {
  std::string_view name, hint;
  bool of_phase = false;
};

constexpr std::string_view kAccumulate =
    "a step is train_input.batch_size sequences, in passes of train_input.micro_batch_size on each of num_csx wafers: "
    "gradients are accumulated by themselves";
constexpr std::string_view kDropout =
    "nothing is dropped, as a tile has no random numbers; leave it out, and use optimizer.weight_decay against "
    "overfitting";
constexpr std::string_view kSmoothing =
    "the wafer's loss kernel knows the label alone; leave it out (docs/optimizers.md says what it would take)";
constexpr std::string_view kScale = "gradients have fp32's range and are added exactly: leave loss scaling out";
constexpr std::string_view kCycle = "use a list of phases, each with its total_iters";

constexpr Lacking kLacking[] = {
    {"grad_accum_steps", kAccumulate},
    {"gradient_accumulation_steps", kAccumulate},
    {"num_grad_accum_steps", kAccumulate},
    {"dropout", kDropout},
    {"dropout_rate", kDropout},
    {"residual_dropout_rate", kDropout},
    {"attention_dropout_rate", kDropout},
    {"embedding_dropout_rate", kDropout},
    {"label_smoothing", kSmoothing},
    {"loss_scaling_factor", kScale},
    {"initial_loss_scale", kScale},
    {"min_loss_scale", kScale},
    {"max_loss_scale", kScale},
    {"steps_per_increase", kScale},
    {"max_gradient_value", "use optimizer.max_gradient_norm, which clips the whole gradient"},
    {"weight_decay_rate", "use optimizer.weight_decay"},
    {"amsgrad", "use optimizer.optimizer_type AdamW without it"},
    {"maximize", "the loss is always minimised: leave it out"},
    {"log_summaries", "model_dir/metrics.jsonl has loss, gradient norm and learning rate of each step: leave it out"},
    {"adjust_learning_rate", "use one optimizer.learning_rate for all tensors, or optimizer.frozen_params"},
    {"decay_steps", "use total_iters", true},
    {"steps", "use total_iters", true},
    {"disable_lr_steps_reset", "each phase counts its own steps: leave it out", true},
    {"cycle", kCycle, true},
    {"T_0", kCycle, true},
    {"T_mult", kCycle, true},
    {"coefficient", "use Exponential with total_iters 1, whose decay_rate is the factor of a step", true},
};

}  // namespace

std::string hint_for_lacking(std::string_view name, bool of_phase) {
  const auto* const at =
      std::ranges::find_if(kLacking, [&](const Lacking& key) { return key.name == name && key.of_phase == of_phase; });
  return at == std::end(kLacking) ? "" : std::string(at->hint);
}

}  // namespace weft
