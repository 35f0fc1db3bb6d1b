#include "host/appliance/data/load_data.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <limits>

#include "host/appliance/data/corpus.hpp"
#include "host/appliance/data/data_error.hpp"
#include "host/appliance/data/token_shard.hpp"
#include "host/appliance/data/vocabulary.hpp"
#include "host/checkpoint/model_folder.hpp"

namespace weft {
namespace {

constexpr auto kTrain = "train_input.data_dir", kEval = "eval_input.data_dir";

/// Else what is trained already is used.
bool is_training(const Config& config) {
  return config.runconfig.mode != "eval" && config.runconfig.mode != "generate";
}

/// Runs `work`; what is wrong with a file is said of `key`.
template <class Work>
auto about(const Config& config, const char* key, const Work& work) {
  try {
    return work();
  } catch (const DataError& e) {
    throw config.error(key, e.what(), e.hint);
  } catch (const std::invalid_argument& e) {
    throw config.error(key, e.what(), "give more text or tokens, or reduce model.max_sequence_length");
  }
}

/// Reads `file` and gives it to `work`; what is wrong with the text is said of the file.
template <class Work>
void of_file(const std::string& file, const Work& work) {
  const std::string text = read_text(file);
  try {
    work(text);
  } catch (const DataError& e) {
    throw DataError(file + ": " + e.what(), e.hint);
  }
}

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
  const std::string given = std::filesystem::path(run.checkpoint_path).parent_path().string();
  return {"runconfig.checkpoint_path", given.empty() ? "." : given};
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

Tokens load_tokens(const Config& config, const char* key, const std::string& path) {
  const Corpus corpus = about(config, key, [&] { return find_corpus(path); });
  Tokens tokens;
  if (corpus.shards) {
    about(config, key, [&] {
      for (const std::string& file : corpus.files) append_token_shard(file, config.model.vocab, tokens);
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
      of_file(file, [&](const std::string& text) { tokenizer->encode(text, ids); });
      tokens.append(std::move(ids));
    }
  });
  return tokens;
}

}  // namespace

std::optional<Tokenizer> saved_tokenizer(const Config& config) {
  const Folder folder = weights_folder(config);
  if (folder.path.empty()) return std::nullopt;
  return about(config, folder.key, [&] { return load_vocabulary(folder.path); });
}

std::optional<Tokenizer> load_tokenizer(const Config& config) {
  std::optional<Tokenizer> tokenizer = saved_tokenizer(config);
  if (!tokenizer || is_training(config)) {
    const Corpus corpus = about(config, kTrain, [&] { return find_corpus(config.train_input.data_dir); });
    if (corpus.shards) return std::nullopt;
    const bool bytes = config.train_input.tokenizer == "byte";
    if (!tokenizer) {
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
