#include "host/train/checkpoint_metadata.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "host/formats/open_weights.hpp"
#include "host/train/options.hpp"

namespace weft::train {
namespace {

constexpr const char *kOptimizer = "optimizer.optimizer_type", *kMomentum = "optimizer.momentum";

std::string texts(const std::vector<SettingChange>& changes) {
  std::vector<std::string> texts;
  for (const SettingChange& change : changes) texts.push_back(change.text());
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace

checkpoint::Metadata checkpoint_metadata(checkpoint::Metadata settings, std::uint64_t position) {
  settings[kPosition] = fmt::format("{}", position);
  return settings;
}

std::optional<std::uint64_t> last_mask_update_in(const checkpoint::CheckpointReader& checkpoint) {
  const auto steps = checkpoint.about.find(kLastMaskUpdate);
  if (steps == checkpoint.about.end()) return std::nullopt;
  return std::stoull(steps->second);
}

std::optional<double> average_loss_in(const checkpoint::CheckpointReader& checkpoint) {
  const auto average = checkpoint.about.find(kAverageLoss);
  if (average == checkpoint.about.end()) return std::nullopt;
  return std::stod(average->second);
}

std::uint64_t data_position(const checkpoint::CheckpointReader& checkpoint, int batch_size) {
  const auto at = checkpoint.about.find(kPosition);
  return at == checkpoint.about.end() ? checkpoint.step * static_cast<std::uint64_t>(batch_size)
                                      : std::stoull(at->second);
}

std::string note_changes(const SettingChanges& changes, const data::TrainingData& data, std::uint64_t position) {
  const std::string note =
      fmt::format("note    {}; the run continues at data position {}", texts(changes.changed), position);
  if (data.sets() > 1) return note;  // each data set has its own epochs
  return fmt::format("{}: place {} of {} in epoch {}", note, position % data.samples(), data.samples(),
                     position / data.samples());
}

std::optional<std::string> note_unknown(const SettingChanges& changes, const std::string& file) {
  if (changes.unknown.empty()) return std::nullopt;
  return fmt::format("note    {}, from an older Weft, does not record {}; these settings are assumed to be unchanged",
                     file, fmt::join(changes.unknown, ", "));
}

SettingChanges changes_since(const config::Config& config, const ResumePoint& start, checkpoint::Metadata& settings) {
  if (!start.checkpoint || start.checkpoint->weights_only) return {};
  const checkpoint::Metadata& about = start.checkpoint->about;
  inherit_masks(config, about, settings);
  inherit_patterns(config, about, settings);
  return compare_settings(about, settings, !start.checkpoint->mask.empty());
}

std::optional<std::string> note_continuation(const config::Config& config, const ResumePoint& start,
                                             const compiler::Plan& plan, const data::TrainingData& data) {
  if (!start.checkpoint || start.checkpoint->weights_only) return std::nullopt;
  checkpoint::Metadata settings = run_settings(config, plan, data);
  const SettingChanges changes = changes_since(config, start, settings);
  if (changes.changed.empty()) return note_unknown(changes, start.file);
  return note_changes(changes, data, data_position(*start.checkpoint, config.train_input.batch_size));
}

void check_settings(const SettingChanges& changes, const ResumePoint& start, bool allow_other_bits) {
  if (!start.resumed || allow_other_bits || changes.changed.empty()) return;
  throw checkpoint::file_error(
      start.file, "",
      fmt::format("belongs to a run with other settings, which change the bits: {}", texts(changes.changed)),
      "restore these settings; or start a separate run from this file, with --checkpoint_path and another --model_dir; "
      "or continue here as another run, with --allow_other_bits");
}

void check_optimizer_of(const config::Config& config, const ResumePoint& start) {
  if (!start.checkpoint || start.checkpoint->weights_only) return;
  const checkpoint::Metadata& about = start.checkpoint->about;
  const auto before = about.find(kOptimizer);
  const std::string own = before == about.end() ? "AdamW" : printable(before->second);
  const std::string& now = config.optimizer.optimizer_type;
  constexpr std::string_view kOther =
      "or start from its weights alone, which weft export takes, with --checkpoint_path in another "
      "runconfig.model_dir";
  if (own != now)
    throw config.error(kOptimizer, fmt::format("{}, but {} has the state of {}", now, start.file, own),
                       fmt::format("use {}, {}", own, kOther));
  if (start.checkpoint->moments == memoryx::state_vectors(memoryx_options(config).optimizer)) return;
  const auto at = about.find(kMomentum);
  const std::string momentum = at == about.end() ? "0" : printable(at->second);
  throw config.error(memoryx::find_rule(now)->momentum ? kMomentum : kOptimizer,
                     fmt::format("{} was trained {}", start.file,
                                 start.checkpoint->moments == 0 ? "without momentum" : "with momentum " + momentum),
                     fmt::format("use momentum {}, {}", momentum, kOther));
}

std::shared_ptr<const checkpoint::CheckpointReader> load_of_model(const config::Config& config, const std::string& file,
                                                                  std::span<const compiler::TensorInfo> tensors) {
  auto checkpoint = formats::open_weights(file, config.model, tensors);
  const checkpoint::Metadata now = model_settings(config);
  // Keys that are not visible from the tensors.
  for (const char* key : {"model.network", "model.num_heads", "model.rotary_dim", "model.rotary_layout"}) {
    const auto before = checkpoint->about.find(key);
    if (before == checkpoint->about.end() || !now.contains(key) || before->second == now.at(key)) continue;
    const std::string own = printable(before->second);
    throw checkpoint::file_error(
        file, "", fmt::format("was trained with {} {}, not {}", key, own, now.at(key)),
        fmt::format("set {} {}{}", key, own, key == std::string("model.network") ? ", or the path of that file" : ""));
  }
  return checkpoint;
}

std::optional<std::string> note_mathematics(const config::Config& config,
                                            const checkpoint::CheckpointReader& checkpoint) {
  if (checkpoint.weights_only) return std::nullopt;
  checkpoint::Metadata settings = model_settings(config);
  if (config.runconfig.mode == "eval") settings.merge(wafer_settings(config));
  const SettingChanges changes = compare_settings(checkpoint.about, settings, !checkpoint.mask.empty());
  if (changes.changed.empty()) return std::nullopt;
  return fmt::format("note    {}", texts(changes.changed));
}

}  // namespace weft::train
