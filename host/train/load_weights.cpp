#include "host/train/load_weights.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "host/checkpoint/unusable.hpp"
#include "host/config/keys/params_filter.hpp"
#include "host/data/corpus.hpp"
#include "host/data/load_data.hpp"
#include "host/tokenizer/config_tokenizer.hpp"
#include "host/tokenizer/weights_tokenizer.hpp"
#include "host/train/checkpoint_metadata.hpp"
#include "host/train/run_id.hpp"
#include "sw/compiler/model/tensors.hpp"

namespace weft::train {
namespace {

/// True if the mode converts text to tokens.
bool takes_text(const config::Config& config) {
  const std::string& mode = config.runconfig.mode;
  return mode == "generate" ? !config.runconfig.prompt.empty()
                            : mode == "eval" && !data::find_corpus(config.eval_input.data_dir).shards;
}

}  // namespace

ResumePoint load_weights(const config::Config& config, std::span<const compiler::TensorInfo> tensors) {
  ResumePoint start;
  const auto take = [&](const std::string& file, std::shared_ptr<const checkpoint::CheckpointReader> checkpoint) {
    start.checkpoint = std::move(checkpoint);
    start.lines.push_back(
        fmt::format("weights {}: {}", file,
                    start.checkpoint->weights_only ? "weights alone" : fmt::format("step {}", start.step())));
    start.file = file;
    if (auto note = note_mathematics(config, *start.checkpoint)) start.lines.push_back(*std::move(note));
    if (!takes_text(config)) return;
    const auto tokenizer = data::load_tokenizer(config);
    check_vocabulary(config, tokenizer, start);
    if (names_vocabulary(start)) return;
    if (auto note = tokenizer::note_new_vocabulary(config, tokenizer, file)) start.lines.push_back(*std::move(note));
  };
  if (const std::string given = tokenizer::given_weights(config); !given.empty()) {
    take(given, load_checkpoint_path(config, tensors));
    return start;
  }
  const std::vector<checkpoint::CheckpointFile> files =
      checkpoint::ModelFolder::checkpoints_in(config.runconfig.model_dir);
  std::optional<DamagedFile> newest;
  for (const checkpoint::CheckpointFile& entry : files) {
    try {
      take(entry.file, load_of_model(config, entry.file, tensors));
      return start;
    } catch (const DamagedFile& e) {
      start.lines.push_back(fmt::format("skipped {}", e.what()));
      if (!newest) newest = e;
    } catch (const Refusal& e) {
      throw config.error("runconfig.model_dir", e);
    }
  }
  if (newest) {
    throw config.error(
        "runconfig.model_dir",
        checkpoint::none_can_be_used(*newest, files.size(),
                                     "put an undamaged checkpoint there, or name a file with --checkpoint_path"));
  }
  const std::string& folder = config.runconfig.model_dir;
  std::error_code error;
  const std::filesystem::directory_iterator there(folder, error);
  if (error && error != std::errc::no_such_file_or_directory) {
    throw config
        .error("runconfig.model_dir", fmt::format("{}: cannot be read: {}", folder, error.message()),
               "name the folder of a run")
        .caused_by(error.value());
  }
  throw config.error("runconfig.model_dir", fmt::format("{} has no checkpoint", folder),
                     "train first, or name a file with --checkpoint_path");
}

compiler::Mask first_mask(const config::Config& config) {
  ResumePoint start;
  const std::vector<compiler::TensorInfo> tensors = compiler::model_tensors(config.model);
  const std::string given = tokenizer::given_weights(config);
  std::error_code none;
  if (!given.empty() && (std::filesystem::exists(given, none) || !config::sparse_tensors(config).empty())) {
    start.checkpoint = load_checkpoint_path(config, tensors);
  } else if (config.sparsity.init_method == "checkpoint" &&
             !checkpoint::ModelFolder::checkpoints_in(config.runconfig.model_dir).empty()) {
    start = load_weights(config, tensors);
    start.resumed = true;
  }
  return initial_mask(config, start);
}

}  // namespace weft::train
