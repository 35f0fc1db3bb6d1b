#include <fmt/format.h>

#include <filesystem>

#include "host/appliance/counted.hpp"
#include "host/appliance/data/about.hpp"
#include "host/appliance/data/load_data.hpp"
#include "host/appliance/data/tokenizer_json.hpp"
#include "host/appliance/data/vocabulary.hpp"
#include "host/checkpoint/model_folder.hpp"
#include "host/exchange/hf_folder.hpp"

namespace weft {
namespace {

constexpr auto kTrain = "train_input.data_dir";

struct Folder {
  const char* key;  ///< that names it
  std::string path;
};

/// The folder of the weights that a run begins with; empty: there are none.
Folder weights_folder(const Config& config) {
  const RunConfig& run = config.runconfig;
  const Folder own{"runconfig.model_dir", run.model_dir};
  if (is_training(config) && !ModelFolder::checkpoints_in(run.model_dir).empty()) return own;
  if (run.checkpoint_path.empty()) return is_training(config) ? Folder{own.key, ""} : own;
  if (is_hf_folder(run.checkpoint_path)) return {"runconfig.checkpoint_path", run.checkpoint_path};
  const std::string given = std::filesystem::path(run.checkpoint_path).parent_path().string();
  return {"runconfig.checkpoint_path", given.empty() ? "." : given};
}

/// The file of the folder that says what tokens are, if it is there. One of Hugging Face's may have a vocab.json, too,
/// which is another thing.
std::optional<std::string> tokenizer_file(const std::string& folder) {
  const bool theirs = is_hf_folder(folder);
  const std::string file =
      theirs ? (std::filesystem::path(folder) / "tokenizer.json").string() : vocabulary_file(folder);
  std::error_code ignored;
  return std::filesystem::exists(file, ignored) ? std::optional(file) : std::nullopt;
}

/// None if there is no such file, or if it is of a kind that Weft has not.
std::optional<Tokenizer> tokenizer_in(const std::string& folder) {
  if (!is_hf_folder(folder)) return load_vocabulary(folder);
  const auto file = tokenizer_file(folder);
  if (!file) return std::nullopt;
  constexpr std::uint64_t kMost = 64 << 20;  // bytes
  try {
    return parse_tokenizer_json(read_text(*file, kMost));
  } catch (const Refusal& e) {
    throw e.within(*file);
  }
}

Tokenizer tokenizer_of_text(const Corpus& corpus) {
  std::vector<char32_t> all;
  for (const std::string& file : corpus.files) {
    of_file(file, [&](const std::string& text) {
      const auto more = characters_of(text);
      all.insert(all.end(), more.begin(), more.end());
    });
  }
  return Tokenizer::characters(std::move(all));
}

void check_vocabulary(const Config& config, const Tokenizer& tokenizer) {
  if (tokenizer.size() <= config.model.vocab) return;
  throw config.error("model.vocab_size",
                     fmt::format("{} is less than the {} {} of {}", config.model.vocab, tokenizer.size(),
                                 tokenizer.is_bytes() ? "values of a byte, the tokens" : "different characters",
                                 config.train_input.data_dir),
                     fmt::format("use {} or more", tokenizer.size()));
}

/// Ids of a new vocabulary would mean other words than those of the weights.
void refuse_text(const Config& config) {
  const Folder folder = weights_folder(config);
  const auto file = folder.path.empty() ? std::nullopt : tokenizer_file(folder.path);
  if (!file) return;
  throw config.error(
      kTrain,
      fmt::format("{} is text, and {} is neither of characters nor of bytes", config.train_input.data_dir, *file),
      "make token shards of the text with that tokenizer");
}

}  // namespace

bool is_training(const Config& config) {
  return config.runconfig.mode != "eval" && config.runconfig.mode != "generate";
}

std::optional<std::string> saved_vocabulary(const Config& config) {
  const Folder folder = weights_folder(config);
  if (folder.path.empty() || !saved_tokenizer(config)) return std::nullopt;
  return tokenizer_file(folder.path);
}

std::optional<Tokenizer> saved_tokenizer(const Config& config) {
  const Folder folder = weights_folder(config);
  if (folder.path.empty()) return std::nullopt;
  return about(config, folder.key, [&] { return tokenizer_in(folder.path); });
}

std::optional<Tokenizer> load_tokenizer(const Config& config) {
  std::optional<Tokenizer> tokenizer = saved_tokenizer(config);
  if (!tokenizer || is_training(config)) {
    const Corpus corpus = about(config, kTrain, [&] { return find_corpus(config.train_input.data_dir); });
    if (corpus.shards) return std::nullopt;
    const bool bytes = config.train_input.tokenizer == "byte";
    if (!tokenizer) {
      refuse_text(config);
      tokenizer = bytes ? Tokenizer::bytes() : about(config, kTrain, [&] { return tokenizer_of_text(corpus); });
    }
    if (tokenizer->is_bytes() != bytes) {
      throw config.error(
          "train_input.tokenizer",
          fmt::format("the checkpoints in {} were trained with the other one", weights_folder(config).path),
          fmt::format("use {}, or another model_dir", bytes ? "char" : "byte"));
    }
  }
  check_vocabulary(config, *tokenizer);
  return tokenizer;
}

std::optional<std::string> note_new_vocabulary(const Config& config, const std::optional<Tokenizer>& tokenizer,
                                               const std::string& checkpoint) {
  if (checkpoint.empty() || !tokenizer || tokenizer->is_bytes() || saved_vocabulary(config)) return std::nullopt;
  return fmt::format(
      "note    there is no vocab.json beside {}: a vocabulary of {} was made of {}; ids may mean other characters than "
      "in training",
      checkpoint, counted(tokenizer->size(), "character"), config.train_input.data_dir);
}

}  // namespace weft
