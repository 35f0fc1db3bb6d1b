#include "host/tokenizer/config_tokenizer.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "host/config/error_context.hpp"
#include "host/config/plural.hpp"
#include "host/tokenizer/folder_settings.hpp"
#include "host/tokenizer/load.hpp"

namespace weft::tokenizer {
namespace {

constexpr auto kVocabFile = "train_input.vocab_file";

}  // namespace

bool is_of_file(const std::string& tokenizer) { return tokenizer == "bpe" || tokenizer == "sentencepiece"; }

Tokenizer file_tokenizer(const config::Config& config) {
  const config::InputConfig& input = config.train_input;
  return config::about(config, kVocabFile, [&] {
    try {
      Tokenizer tokenizer = Tokenizer::of(load_tokenizer(input.vocab_file, input.merges_file));
      if (tokenizer.name() == input.tokenizer) return tokenizer;
      throw Refusal("", fmt::format("is a file for tokenizer {}, not {}", tokenizer.name(), input.tokenizer),
                    fmt::format("set train_input.tokenizer {}", tokenizer.name()));
    } catch (const Refusal& e) {
      throw e.subject().empty() ? e.within(input.vocab_file) : e;
    }
  });
}

FolderTokenizer tokenizer_next_to_weights(const config::Config& config) {
  const WeightsFolder folder = weights_folder(config);
  if (folder.path.empty()) return {};
  return config::about(config, folder.key, [&] { return tokenizer_in(folder.path); });
}

std::optional<std::string> saved_vocabulary(const config::Config& config) {
  const FolderTokenizer beside = tokenizer_next_to_weights(config);
  return beside.tokenizer ? std::optional(beside.file) : std::nullopt;
}

std::optional<Tokenizer> saved_tokenizer(const config::Config& config) {
  return tokenizer_next_to_weights(config).tokenizer;
}

std::optional<std::string> note_vocab_file(const config::Config& config) {
  const config::InputConfig& input = config.train_input;
  const std::filesystem::path folder = std::filesystem::path(input.vocab_file).parent_path();
  if (input.vocab_file.empty() || !is_of_file(input.tokenizer) || !config::is_training(config)) return std::nullopt;
  if (!has_folder_settings(folder.empty() ? "." : folder)) return std::nullopt;
  try {
    const auto tokenizer = load_tokenizer(input.vocab_file, input.merges_file);
    return note_files_beside(input.vocab_file, input.merges_file, *tokenizer);
  } catch (const Refusal&) {
    return std::nullopt;  // the run itself rejects the file
  }
}

std::optional<std::string> note_new_vocabulary(const config::Config& config, const std::optional<Tokenizer>& tokenizer,
                                               const std::string& checkpoint) {
  if (checkpoint.empty() || !tokenizer || tokenizer->kind() != Tokenizer::Kind::Characters || saved_vocabulary(config))
    return std::nullopt;
  return fmt::format(
      "note    there is no vocab.json next to {}: a vocabulary of {} was made of {}; ids may mean other characters "
      "than in training",
      checkpoint, config::plural(tokenizer->size(), "character"), config.train_input.data_dir);
}

}  // namespace weft::tokenizer
