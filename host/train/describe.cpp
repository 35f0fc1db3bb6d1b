#include <fmt/format.h>
#include <fmt/ranges.h>

#include "host/config/counted.hpp"
#include "host/config/phases.hpp"
#include "host/exchange/open_weights.hpp"
#include "host/train/start.hpp"
#include "host/train/trainer.hpp"
#include "sw/base/crc32c.hpp"
#include "sw/compiler/tensors.hpp"

namespace weft {
namespace {

constexpr const char *kPosition = "data_position", *kPath = "train_input.data_dir", *kTokensKey = "train_input.tokens";
constexpr const char* kDocumentEnd = "model.document_end";
constexpr const char *kHeads = "model.num_heads", *kEpsilon = "model.layer_norm_epsilon";
constexpr const char *kOptimizer = "optimizer.optimizer_type", *kMomentum = "optimizer.momentum";
constexpr const char *kNetwork = "model.network", *kNetworkText = "network_text", *kRotary = "model.rotary_dim";

/// As its file says it, whatever that is called.
std::string network_name(const Config& config) {
  return find_network(config.model.network, sizes_of(config.model)).name;
}

std::string epsilon_text(const Config& config) { return fmt::format("{}", config.model.ln_eps); }

std::string change_text(std::string_view key, std::string_view before, std::string_view now) {
  return fmt::format("{} was {} and is {} now", key == kNetworkText ? "the text of model.network" : key, before, now);
}

std::string network_checksum(const std::string& network) {
  const std::string text = network_text(network);
  return fmt::format("checksum {:08x}", crc32c({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}));
}

/// "corpus.txt (2000 tokens, checksum 89abcdef)"; the path may be of another folder than the tokens' own.
std::string data_text(Metadata about) { return printable(about[kPath]) + " (" + printable(about[kTokensKey]) + ")"; }

void describe_optimizer(const OptimizerConfig& o, Metadata& about) {
  about[kOptimizer] = o.optimizer_type;
  const OptimizerRule& rule = *find_rule(o.optimizer_type);
  if (rule.momentum) {
    about[kMomentum] = fmt::format("{}", o.momentum);
    about["optimizer.dampening"] = fmt::format("{}", o.dampening);
    about["optimizer.nesterov"] = fmt::format("{}", o.nesterov);
  }
  if (rule.betas) {
    about["optimizer.betas"] = fmt::format("{}", fmt::join(o.betas, ", "));
  }
  if (rule.eps) {
    about["optimizer.eps"] = fmt::format("{}", o.eps);
    about["optimizer.correct_bias"] = fmt::format("{}", o.correct_bias);
  }
  about["optimizer.weight_decay"] = fmt::format("{}", o.weight_decay);
  if (!o.no_decay_params.empty())
    about["optimizer.no_decay_params"] = fmt::format("{}", fmt::join(o.no_decay_params, ", "));
  if (!o.frozen_params.empty()) about["optimizer.frozen_params"] = fmt::format("{}", fmt::join(o.frozen_params, ", "));
  about["optimizer.max_gradient_norm"] = fmt::format("{}", o.max_gradient_norm);
  about["optimizer.learning_rate"] = phases_text(o.learning_rate, true);
}

}  // namespace

std::optional<std::string> note_changes(const Config& config, const TrainingData& data,
                                        const CheckpointReader& checkpoint) {
  std::vector<std::string> changes;
  const Metadata now = describe_run(config, data, checkpoint.step);
  for (const auto& [key, value] : now) {
    const auto before = checkpoint.about.find(key);
    // The same tokens from another path are the same data.
    if (key == kPosition || key == kPath || key == kNetwork || key == kDocumentEnd ||
        before == checkpoint.about.end() || before->second == value)
      continue;
    changes.push_back(key == kTokensKey ? change_text(kPath, data_text(checkpoint.about), data_text(now))
                                        : change_text(key, printable(before->second), value));
  }
  const auto end = checkpoint.about.find(kDocumentEnd);
  const std::string end_before = end == checkpoint.about.end() ? "-1" : printable(end->second);
  if (const std::string end_now = fmt::format("{}", config.model.document_end); end_before != end_now)
    changes.push_back(change_text(kDocumentEnd, end_before, end_now));
  if (changes.empty()) return std::nullopt;
  const std::uint64_t position = std::stoull(now.at(kPosition));
  const std::string goes_on =
      fmt::format("note    {}; the run goes on at data position {}", fmt::join(changes, ", "), position);
  if (data.sets() > 1) return goes_on;  // each has epochs of its own
  return fmt::format("{}: place {} of {} in epoch {}", goes_on, position % data.samples(), data.samples(),
                     position / data.samples());
}

Metadata describe_run(const Config& config, const TrainingData& data, std::uint64_t step) {
  const InputConfig& in = config.train_input;
  Metadata about = {{kPath, in.data_dir},
                    {kTokensKey, fmt::format("{}, checksum {:08x}", counted(data.tokens(), "token"), data.checksum())},
                    {"train_input.batch_size", fmt::format("{}", in.batch_size)},
                    {"train_input.shuffle", fmt::format("{}", in.shuffle)},
                    {"train_input.seed", fmt::format("{}", in.seed)},
                    {kHeads, fmt::format("{}", config.model.heads)},
                    {kRotary, fmt::format("{}", config.model.rotary_dim)},
                    {kNetwork, network_name(config)},
                    {kNetworkText, network_checksum(config.model.network)},
                    {kEpsilon, epsilon_text(config)},
                    {"runconfig.seed", fmt::format("{}", config.runconfig.seed)},
                    {kPosition, fmt::format("{}", step * static_cast<std::uint64_t>(in.batch_size))}};
  if (config.model.label_smoothing != 0)
    about["model.label_smoothing"] = fmt::format("{}", config.model.label_smoothing);
  if (in.pad_documents) about["train_input.pad_documents"] = "true";
  if (config.model.has_documents()) about[kDocumentEnd] = fmt::format("{}", config.model.document_end);
  if (data.sets() > 1) {
    about[kPath] = fmt::format("{}", fmt::join(in.data_dirs(), ", "));
    about["train_input.weights"] = fmt::format("{}", fmt::join(data.parts(), ":"));
  }
  describe_optimizer(config.optimizer, about);
  return about;
}

void check_optimizer_of(const Config& config, const Start& start) {
  if (!start.checkpoint || start.checkpoint->weights_only) return;
  const Metadata& about = start.checkpoint->about;
  const auto before = about.find(kOptimizer);
  const std::string own = before == about.end() ? "AdamW" : printable(before->second);
  const std::string& now = config.optimizer.optimizer_type;
  constexpr std::string_view kOther =
      "or start from its weights alone, which weft export takes, with --checkpoint_path in another "
      "runconfig.model_dir";
  if (own != now)
    throw config.error(kOptimizer, fmt::format("{}, but {} has the state of {}", now, start.file, own),
                       fmt::format("use {}, {}", own, kOther));
  if (start.checkpoint->moments == state_vectors(memoryx_options(config).optimizer)) return;
  const auto at = about.find(kMomentum);
  const std::string momentum = at == about.end() ? "0" : printable(at->second);
  throw config.error(find_rule(now)->momentum ? kMomentum : kOptimizer,
                     fmt::format("{} was trained {}", start.file,
                                 start.checkpoint->moments == 0 ? "without momentum" : "with momentum " + momentum),
                     fmt::format("use momentum {}, {}", momentum, kOther));
}

std::shared_ptr<const CheckpointReader> load_of_model(const Config& config, const std::string& file,
                                                      std::span<const TensorInfo> tensors) {
  auto checkpoint = open_weights(file, config.model, tensors);
  const std::pair<const char*, std::string> shapeless[] = {{kNetwork, network_name(config)},
                                                           {kHeads, fmt::format("{}", config.model.heads)},
                                                           {kRotary, fmt::format("{}", config.model.rotary_dim)}};
  for (const auto& [key, now] : shapeless) {
    const auto before = checkpoint->about.find(key);
    if (before == checkpoint->about.end() || before->second == now) continue;
    const std::string own = printable(before->second);
    throw file_error(file, "", fmt::format("was trained with {} {}, not {}", key, own, now),
                     fmt::format("set {} {}{}", key, own, key == kNetwork ? ", or the path of that file" : ""));
  }
  return checkpoint;
}

std::optional<std::string> note_mathematics(const Config& config, const CheckpointReader& checkpoint) {
  std::vector<std::string> changes;
  const auto compare = [&](const char* key, const std::string& now) {
    const auto before = checkpoint.about.find(key);
    if (before != checkpoint.about.end() && before->second != now)
      changes.push_back(change_text(key, printable(before->second), now));
  };
  compare(kEpsilon, epsilon_text(config));
  if (!is_built_in(config.model.network)) compare(kNetworkText, network_checksum(config.model.network));
  if (changes.empty()) return std::nullopt;
  return fmt::format("note    {}", fmt::join(changes, ", "));
}

}  // namespace weft
