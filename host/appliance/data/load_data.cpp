#include "host/appliance/data/load_data.hpp"

#include <fmt/format.h>

#include <limits>
#include <string_view>

#include "host/appliance/data/about.hpp"
#include "host/appliance/data/corpus.hpp"
#include "host/appliance/data/token_shard.hpp"

namespace weft {
namespace {

constexpr auto kTrain = "train_input.data_dir", kEval = "eval_input.data_dir";

/// A model of characters or bytes has ids of its own; those of shards would mean other ones. What is of a file is
/// what shards are made with.
void check_shards(const Config& config, const char* key, const std::string& path) {
  if (const auto saved = saved_tokenizer(config); saved && saved->is_of_file()) return;
  if (const auto vocabulary = saved_vocabulary(config)) {
    throw config.error(key, fmt::format("{} has token shards, but by {} the model is of text", path, *vocabulary),
                       "give text, or remove that file if it is another model's");
  }
  if (key != std::string_view(kEval) || !is_training(config) || is_of_file(config.train_input.tokenizer)) return;
  const std::string& train = config.train_input.data_dir;
  if (about(config, kTrain, [&] { return find_corpus(train); }).shards) return;
  throw config.error(key, fmt::format("{} has token shards, but {} is text", path, train), "give text for both");
}

Tokens load_tokens(const Config& config, const char* key, const std::string& path) {
  const Corpus corpus = about(config, key, [&] { return find_corpus(path); });
  Tokens tokens;
  if (corpus.shards) {
    check_shards(config, key, path);
    about(config, key, [&] {
      append_token_shards(corpus.files, config.model.vocab, tokens, shard_format(config.train_input.shard_format));
    });
    return tokens;
  }
  const auto tokenizer = load_tokenizer(config);
  if (!tokenizer) {
    throw config.error(key, fmt::format("{} is text, but {} has token shards", path, config.train_input.data_dir),
                       "make shards of it with the same tokenizer");
  }
  about(config, key, [&] {
    for (const std::string& file : corpus.files) {
      std::vector<std::uint16_t> ids;
      of_file(file, [&](const std::string& text) { tokenizer->encode_document(text, ids); });
      tokens.append(std::move(ids));
    }
  });
  return tokens;
}

}  // namespace

TrainingData load_training_data(const Config& config) {
  Tokens tokens = load_tokens(config, kTrain, config.train_input.data_dir);
  return about(config, kTrain, [&] {
    return TrainingData(std::move(tokens), {.seq = config.model.seq,
                                            .batch = config.train_input.batch_size,
                                            .micro_batch = config.model.micro_batch,
                                            .shuffle = config.train_input.shuffle,
                                            .seed = static_cast<std::uint64_t>(config.train_input.seed)});
  });
}

EvalData load_eval_data(const Config& config) {
  Tokens tokens = load_tokens(config, kEval, config.eval_input.data_dir);
  const auto limit = static_cast<std::uint64_t>(config.runconfig.eval_steps) *
                     static_cast<std::uint64_t>(config.eval_input.batch_size);
  return about(config, kEval, [&] {
    return EvalData(std::move(tokens), config.model.seq, config.model.micro_batch,
                    limit == 0 ? std::numeric_limits<std::uint64_t>::max() : limit);
  });
}

}  // namespace weft
