/// Loads the data that a configuration names: files, tokenizer, samples. All functions throw Refusal.
#pragma once

#include <optional>

#include "host/config/config.hpp"
#include "host/data/data.hpp"
#include "host/data/tokenizer.hpp"

namespace weft {

/// True if this value of train_input.tokenizer means a tokenizer from a file, which token shards may be made with.
bool is_of_file(const std::string& tokenizer);

/// The model's tokenizer: from the vocab.json next to the run's initial checkpoint, so that ids keep their meaning;
/// otherwise made from the training text. None if the model is trained on token shards of an unknown tokenizer.
std::optional<Tokenizer> load_tokenizer(const Config& config);

/// The tokenizer of an existing vocab.json; none if there is no such file.
std::optional<Tokenizer> saved_tokenizer(const Config& config);

/// The path of that vocab.json; none if it does not exist.
std::optional<std::string> saved_vocabulary(const Config& config);

/// A note that `tokenizer`, in a run that begins with the file `checkpoint`, may differ from the one that the
/// checkpoint was trained with: a tokenizer of characters without a vocab.json. Must be called before the run writes
/// its own vocab.json.
std::optional<std::string> note_new_vocabulary(const Config& config, const std::optional<Tokenizer>& tokenizer,
                                               const std::string& checkpoint);

/// A note about a train_input.vocab_file whose folder has files that change ids (host/tokenizer/load.hpp).
std::optional<std::string> note_vocab_file(const Config& config);

/// A note about a train_input.shard_format without effect, because no data set has token shards.
std::optional<std::string> note_shard_format(const Config& config);

/// True if the mode trains or prepares training; false if it uses trained weights.
bool is_training(const Config& config);

/// Reads the data sets of train_input; each token must be below vocab_size.
TrainingData load_training_data(const Config& config);

/// Reads the data set of eval_input: the first eval_steps x batch_size samples, or all of them if eval_steps is 0.
EvalData load_eval_data(const Config& config);

}  // namespace weft
