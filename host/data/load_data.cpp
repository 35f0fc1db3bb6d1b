#include "host/data/load_data.hpp"

#include <fmt/format.h>

#include <limits>
#include <string_view>

#include "host/config/error_context.hpp"
#include "host/config/keys/path_keys.hpp"
#include "host/data/corpus.hpp"
#include "host/data/documents.hpp"
#include "host/data/hdf5_numbers.hpp"
#include "host/data/hdf5_samples.hpp"
#include "host/data/hdf5_tokens.hpp"
#include "host/data/padded_samples.hpp"
#include "host/data/shard_file.hpp"
#include "host/data/token_shard.hpp"
#include "host/tokenizer/config_tokenizer.hpp"
#include "sw/base/memory_room.hpp"
#include "sw/compiler/model/losses.hpp"

namespace weft::data {
namespace {

constexpr auto kTrain = "train_input.data_dir", kMore = "train_input.more_data_dirs", kEval = "eval_input.data_dir",
               kWeights = "train_input.weights";

/// Rejects token shards for a model of characters or bytes, whose ids have other meanings. Shards are made with a
/// tokenizer from a file.
void check_shards(const config::Config& config, const char* key, const std::string& path) {
  if (const auto saved = tokenizer::saved_tokenizer(config); saved && saved->is_of_file()) return;
  if (const auto vocabulary = tokenizer::saved_vocabulary(config)) {
    throw config.error(key,
                       fmt::format("{} has token shards, but the model was trained on text, according to {}",
                                   config::paths_text(path), *vocabulary),
                       "give text, or remove that file if it is another model's");
  }
  if (tokenizer::is_of_file(config.train_input.tokenizer) ||
      (key == std::string_view(kEval) && !config::is_training(config)))
    return;
  for (const std::string& train : config.train_input.data_dirs()) {
    if (train == path || config::about(config, kTrain, [&] { return find_corpus(train); }).shards) continue;
    throw config.error(
        key, fmt::format("{} has token shards, but {} is text", config::paths_text(path), config::paths_text(train)),
        "give text for both");
  }
}

/// A text, and the ends of its documents if they are needed.
struct Documents {
  Tokens tokens;
  std::vector<std::uint64_t> ends;
};

/// The token that ends each document in token shards.
TokenId end_of_documents(const config::Config& config, const char* key, const std::string& path) {
  if (config.model.document_end >= 0) return static_cast<TokenId>(config.model.document_end);
  const auto tokenizer = load_tokenizer(config);
  if (const auto end = tokenizer && tokenizer->is_of_file() ? tokenizer->text().end() : std::nullopt) return *end;
  throw config.error(
      key,
      fmt::format("{} has token shards, and no setting names the token that ends a document", config::paths_text(path)),
      "set model.document_end, or train_input.vocab_file");
}

Documents load_documents(const config::Config& config, const char* key, const std::string& path, const Corpus& corpus) {
  Documents all;
  if (corpus.shards) {
    check_shards(config, key, path);
    config::about(config, key, [&] {
      if (corpus.hdf5) return append_hdf5_tokens(corpus.files, config.model.vocab, all.tokens);
      append_token_shards(corpus.files, config.model.vocab, all.tokens, shard_format(config.train_input.shard_format));
    });
    if (!config.train_input.pad_documents) return all;
    const TokenId end = end_of_documents(config, key, path);
    all.ends = config::about(config, key, [&] { return ends_behind(all.tokens, end); });
    return all;
  }
  const auto tokenizer = load_tokenizer(config);
  if (!tokenizer) {
    throw config.error(key,
                       fmt::format("{} is text, but {} has token shards", config::paths_text(path),
                                   config::paths_text(config.train_input.data_dir)),
                       "make shards of it with the same tokenizer");
  }
  config::about(config, key, [&] {
    for (const std::string& file : corpus.files) {
      std::vector<TokenId> ids;
      for_each_document(file, [&](std::string_view text) {
        tokenizer->encode_document(text, ids);
        if (config.train_input.pad_documents) all.ends.push_back(all.tokens.size() + ids.size());
      });
      all.tokens.append(std::move(ids));
    }
  });
  return all;
}

/// Rejects data with ignored labels for memoryx.eager_update, which must know the number of labels before a step.
void check_early(const config::Config& config, const char* key, const std::string& path, const Samples& samples) {
  if (!config.memoryx_eager_update || samples.all_count() || key == std::string_view(kEval)) return;
  throw config.error("memoryx.eager_update",
                     fmt::format("{} has labels that do not count, so their number is only known after a step",
                                 config::paths_text(path)),
                     "leave it out");
}

std::shared_ptr<const Samples> load_hdf5(const config::Config& config, const char* key, const std::string& path,
                                         const Corpus& corpus) {
  check_shards(config, key, path);
  const compiler::Losses losses = compiler::losses_of(config.model);
  if (config.model.vsl && (losses.size() > 1 || losses.back() == compiler::Labels::Numbers))
    throw config.error("train_input.use_vsl",
                       "such samples lack the further labels that network " + config.model.network + " needs",
                       "leave it out");
  return config::about(config, key, [&] {
    if (losses.back() == compiler::Labels::Numbers)
      return load_hdf5_numbers(corpus.files, config.model.vocab, config.model.seq, config.model.segments);
    return load_hdf5_samples(corpus.files, config.model.vocab, config.model.seq, config.model.segments,
                             config.model.classes, losses, config.model.vsl);
  });
}

/// Loads the samples of one data set. `named`: errors about the whole data set name it, as there are several.
std::shared_ptr<const Samples> load_samples(const config::Config& config, const char* key, const std::string& path,
                                            bool named = false) {
  const Corpus corpus = config::about(config, key, [&] { return find_corpus(path); });
  std::shared_ptr<const Samples> samples;
  const bool is_corpus =
      corpus.hdf5 && config::about(config, key, [&] { return is_hdf5_corpus(corpus.files.front()); });
  if (corpus.hdf5 && !is_corpus) {
    samples = load_hdf5(config, key, path, corpus);
  } else if (config.model.vsl) {
    throw config.error(
        "train_input.use_vsl",
        config::paths_text(path) + " has no samples of several documents, with attention_span and position_ids",
        "give samples in HDF5 (docs/howto/text.md), or leave it out");
  } else {
    if (compiler::losses_of(config.model) != compiler::Losses{compiler::Labels::Tokens})
      throw config.error(key,
                         fmt::format("{} has no labels but next tokens, and network {} has another loss",
                                     config::paths_text(path), config.model.network),
                         "give samples in HDF5 (docs/howto/text.md)");
    Documents all = load_documents(config, key, path, corpus);
    config::about(config, key, [&] {
      try {
        if (config.train_input.pad_documents)
          samples = std::make_shared<const PaddedSamples>(std::move(all.tokens), all.ends, config.model.seq);
        else
          samples = std::make_shared<const TokenSamples>(std::move(all.tokens), config.model.seq);
      } catch (const Refusal& e) {
        throw named ? e.within(config::paths_text(path)) : e;
      }
    });
  }
  check_early(config, key, path, *samples);
  return samples;
}

}  // namespace

std::optional<std::string> note_shard_format(const config::Config& config) {
  constexpr auto kKey = "train_input.shard_format";
  if (!config.place(kKey).is_command_line() && config.train_input.shard_format == config::InputConfig().shard_format)
    return {};
  std::vector<std::string> paths = config.train_input.data_dirs();
  paths.push_back(config.eval_input.data_dir);
  try {
    for (const std::string& path : paths)
      if (const Corpus corpus = path.empty() ? Corpus() : find_corpus(path); corpus.shards && !corpus.hdf5) return {};
  } catch (const Refusal&) {
    return {};  // reading the data will report the error
  }
  return fmt::format("note    {}: has no effect: applies to token shards, but {} has none", kKey,
                     config::paths_text(paths.front()));
}

TrainingData load_training_data(const config::Config& config) {
  const MemoryBound bound;
  const config::InputConfig& input = config.train_input;
  std::vector<DataSet> sets;
  const std::vector<std::string> paths = input.data_dirs();
  for (std::size_t n = 0; n < paths.size(); ++n) {
    const char* key = n == 0 ? kTrain : kMore;
    sets.push_back(
        {load_samples(config, key, paths[n], paths.size() > 1), input.weights.empty() ? 1 : input.weights[n]});
  }
  return config::about(config, kWeights, [&] {
    return TrainingData(std::move(sets), {.seq = config.model.seq,
                                          .batch = input.batch_size,
                                          .micro_batch = config.model.micro_batch,
                                          .shuffle = input.shuffle,
                                          .seed = static_cast<std::uint64_t>(input.seed),
                                          .two_losses = compiler::losses_of(config.model).size() > 1});
  });
}

TrainingData given_training_data(const config::Config& config, std::shared_ptr<const Samples> samples) {
  if (config.memoryx_eager_update)
    throw config.error("memoryx.eager_update", "a program's samples may have labels that do not count", "leave it out");
  std::vector<DataSet> sets;
  sets.push_back({std::move(samples)});
  return {std::move(sets),
          {.seq = config.model.seq,
           .batch = config.train_input.batch_size,
           .micro_batch = config.model.micro_batch,
           .two_losses = compiler::losses_of(config.model).size() > 1}};
}

EvalData load_eval_data(const config::Config& config) {
  const MemoryBound bound;
  auto samples = load_samples(config, kEval, config.eval_input.data_dir);
  const auto limit = static_cast<std::uint64_t>(config.runconfig.eval_steps) *
                     static_cast<std::uint64_t>(config.eval_input.batch_size);
  return config::about(config, kEval, [&] {
    return EvalData(std::move(samples), config.model.micro_batch,
                    limit == 0 ? std::numeric_limits<std::uint64_t>::max() : limit);
  });
}

}  // namespace weft::data
