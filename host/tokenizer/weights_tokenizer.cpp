#include "host/tokenizer/weights_tokenizer.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "host/checkpoint/file.hpp"
#include "host/checkpoint/model_folder.hpp"
#include "host/formats/hf_folder.hpp"
#include "host/tokenizer/folder_settings.hpp"
#include "host/tokenizer/load.hpp"
#include "host/tokenizer/tokenizer_json.hpp"
#include "host/tokenizer/vocabulary.hpp"
#include "sw/base/known_format.hpp"

namespace weft::tokenizer {
namespace {

namespace fs = std::filesystem;

/// Loads a tokenizer by host/tokenizer. A tokenizer that host/tokenizer rejects is an error only once text is encoded.
FolderTokenizer of_text(const std::string& file, const std::string& merges) {
  FolderTokenizer result{.file = file};
  try {
    result.tokenizer = Tokenizer::of(load_folder_tokenizer(file, merges));
  } catch (const Refusal& e) {
    result.why_not = e.problem();
  }
  return result;
}

/// Loads a tokenizer.json: those written by Weft have characters or bytes; all others are loaded by host/tokenizer.
FolderTokenizer of_tokenizer_json(const std::string& file) {
  constexpr std::uint64_t kMost = 64 << 20;  // bytes
  constexpr auto kEmpty = "a tokenizer.json is a JSON object with the tokens: fetch it again";
  const std::string text = checkpoint::read_text(file, kMost, kEmpty);
  check_format(std::string_view(text).substr(0, kFormatBytes), Expected::Tokenizer, file);
  try {
    if (auto ours = parse_tokenizer_json(text)) {
      try {
        check_folder_settings(fs::path(file).parent_path(), nullptr);
      } catch (const Refusal& e) {
        return {.file = file, .why_not = e.problem()};
      }
      return {.file = file, .tokenizer = std::move(ours)};
    }
  } catch (const Refusal& e) {
    throw e.within(file);
  }
  return of_text(file, "");
}

}  // namespace

std::string given_weights(const config::Config& config) {
  const config::RunConfig& run = config.runconfig;
  const auto typed = [&](const char* key) { return config.place(key).is_command_line(); };
  if (typed("runconfig.checkpoint_path") || checkpoint::ModelFolder::checkpoints_in(run.model_dir).empty())
    return run.checkpoint_path;
  std::error_code error;
  const bool own = fs::equivalent(config.file, fs::path(run.model_dir) / "train/params.yaml", error);
  return own || typed("runconfig.model_dir") ? "" : run.checkpoint_path;
}

WeightsFolder weights_folder(const config::Config& config) {
  const config::RunConfig& run = config.runconfig;
  const WeightsFolder own{"runconfig.model_dir", run.model_dir};
  if (config::is_training(config) && !checkpoint::ModelFolder::checkpoints_in(run.model_dir).empty()) return own;
  const std::string path = config::is_training(config) ? run.checkpoint_path : given_weights(config);
  if (path.empty()) return config::is_training(config) ? WeightsFolder{own.key, ""} : own;
  if (formats::is_hf_folder(path)) return {"runconfig.checkpoint_path", path};
  const std::string given = fs::path(path).parent_path().string();
  return {"runconfig.checkpoint_path", given.empty() ? "." : given};
}

FolderTokenizer tokenizer_in(const std::string& folder) {
  if (!formats::is_hf_folder(folder)) {
    return has_vocabulary(folder) ? FolderTokenizer{vocabulary_file(folder), load_vocabulary(folder)}
                                  : FolderTokenizer{};
  }
  const auto files = tokenizer_files(folder);
  if (!files) return {};
  return fs::path(files->vocab).filename() == "tokenizer.json" ? of_tokenizer_json(files->vocab)
                                                               : of_text(files->vocab, files->merges);
}

}  // namespace weft::tokenizer
