#include <fmt/format.h>

#include "host/config/error_context.hpp"
#include "host/config/keys/path_keys.hpp"
#include "host/data/corpus.hpp"
#include "host/data/documents.hpp"
#include "host/data/load_data.hpp"
#include "host/tokenizer/config_tokenizer.hpp"
#include "host/tokenizer/vocabulary.hpp"
#include "host/tokenizer/weights_tokenizer.hpp"

namespace weft::data {
namespace {

constexpr auto kTrainDir = "train_input.data_dir", kMoreDirs = "train_input.more_data_dirs",
               kVocab = "train_input.vocab_file";

tokenizer::Tokenizer tokenizer_of_text(const Corpus& corpus) {
  std::vector<char32_t> all;
  for (const std::string& file : corpus.files) {
    for_each_document(file, [&](std::string_view text) {
      const auto more = tokenizer::characters_of(text);
      all.insert(all.end(), more.begin(), more.end());
    });
  }
  return tokenizer::Tokenizer::characters(std::move(all));
}

void check_vocabulary(const config::Config& config, const tokenizer::Tokenizer& tokenizer) {
  if (tokenizer.size() <= config.model.vocab) return;
  const std::string& file = config.train_input.vocab_file;
  const bool of_file = tokenizer.is_of_file();
  throw config.error(
      "model.vocab_size",
      fmt::format("{} is less than the {} {} of {}", config.model.vocab, tokenizer.size(),
                  of_file                ? "tokens"
                  : tokenizer.is_bytes() ? "values of a byte, the tokens"
                                         : "different characters",
                  of_file ? file.empty() ? "vocab.json" : file : config::paths_text(config.train_input.data_dir)),
      fmt::format("use {} or more", tokenizer.size()));
}

/// Rejects a run that would make a new vocabulary although its weights have one, since ids would change their meaning.
void refuse_another(const config::Config& config) {
  const tokenizer::FolderTokenizer beside = tokenizer::tokenizer_next_to_weights(config);
  if (beside.file.empty()) return;
  throw config.error(kTrainDir,
                     fmt::format("{} is text, and {} is not a usable tokenizer: {}",
                                 config::paths_text(config.train_input.data_dir), beside.file, beside.why_not),
                     "make token shards of the text with that tokenizer");
}

/// The text files of all data sets, from which a tokenizer of characters is made; `shards` if no data set is text.
Corpus training_corpus(const config::Config& config) {
  Corpus all{.shards = true, .files = {}};
  for (const std::string& path : config.train_input.data_dirs()) {
    const char* key = path == config.train_input.data_dir ? kTrainDir : kMoreDirs;
    Corpus corpus = config::about(config, key, [&] { return find_corpus(path); });
    all.shards = all.shards && corpus.shards;
    if (!corpus.shards) all.files.insert(all.files.end(), corpus.files.begin(), corpus.files.end());
  }
  return all;
}

/// The tokenizer of a training run: `saved`, or a new one. None if the data is token shards of an unknown tokenizer.
std::optional<tokenizer::Tokenizer> of_training(const config::Config& config,
                                                std::optional<tokenizer::Tokenizer> saved) {
  const std::string wanted = config.train_input.tokenizer;
  const Corpus corpus = training_corpus(config);
  const bool of_file = tokenizer::is_of_file(wanted);
  if (corpus.shards && !of_file) return saved && saved->is_of_file() ? saved : std::nullopt;
  std::optional<tokenizer::Tokenizer> made;
  if (!config.train_input.merges_file.empty() && config.train_input.vocab_file.empty())
    throw config.error("train_input.merges_file", "belongs to a vocab_file, which is not set",
                       "set train_input.vocab_file");
  if (of_file && !config.train_input.vocab_file.empty()) made = tokenizer::file_tokenizer(config);
  if (!saved) {
    if (made) return made;
    refuse_another(config);
    if (of_file)
      throw config.error(kVocab, fmt::format("missing: tokenizer {} requires it", wanted),
                         wanted == "bpe" ? "name a vocab.json or tokenizer.json" : "name a *.model");
    return wanted == "byte" ? tokenizer::Tokenizer::bytes()
                            : config::about(config, kTrainDir, [&] { return tokenizer_of_text(corpus); });
  }
  if (saved->name() != wanted)
    throw config.error("train_input.tokenizer",
                       fmt::format("the checkpoints in {} were trained with another tokenizer",
                                   tokenizer::weights_folder(config).path),
                       fmt::format("use {}, or another model_dir", saved->name()));
  if (made && tokenizer::vocabulary_name(made) != tokenizer::vocabulary_name(saved))
    throw config.error(kVocab,
                       fmt::format("is not the one that the checkpoints in {} were trained with",
                                   tokenizer::weights_folder(config).path),
                       "leave it out, or use another model_dir");
  return saved;
}

}  // namespace

std::optional<tokenizer::Tokenizer> load_tokenizer(const config::Config& config) {
  std::optional<tokenizer::Tokenizer> tokenizer = tokenizer::saved_tokenizer(config);
  if (!tokenizer || config::is_training(config)) tokenizer = of_training(config, std::move(tokenizer));
  if (!tokenizer) return std::nullopt;
  check_vocabulary(config, *tokenizer);
  return tokenizer;
}

}  // namespace weft::data
