/// From a configuration to its data: files, tokenizer, samples. All throw Refusal.
#pragma once

#include <optional>

#include "host/config/config.hpp"
#include "host/data/data.hpp"
#include "host/data/tokenizer.hpp"

namespace weft {

/// Whether train_input.tokenizer is one that a file says, whose tokens shards may have.
bool is_of_file(const std::string& tokenizer);

/// The tokenizer of the model: that of vocab.json beside the checkpoint that the run begins with, so that ids stay what
/// they were; else made from the training text. None if the model is trained on token shards.
std::optional<Tokenizer> load_tokenizer(const Config& config);

/// That of vocab.json alone; none if there is no such file.
std::optional<Tokenizer> saved_tokenizer(const Config& config);

/// The path of that file; none if it is not there.
std::optional<std::string> saved_vocabulary(const Config& config);

/// A line to say that `tokenizer`, of a run that begins with the file `checkpoint`, may not be the one it was trained
/// with: characters without a vocab.json. To be asked before the run writes its own.
std::optional<std::string> note_new_vocabulary(const Config& config, const std::optional<Tokenizer>& tokenizer,
                                               const std::string& checkpoint);

/// A note of a train_input.vocab_file whose folder has files that change ids (host/text/load.hpp).
std::optional<std::string> note_vocab_file(const Config& config);

/// A note of a train_input.shard_format that has no effect: no data set has token shards.
std::optional<std::string> note_shard_format(const Config& config);

/// Whether the mode trains, or prepares it: else what is trained already is used.
bool is_training(const Config& config);

/// Reads what train_input names; each token must be below vocab_size.
TrainingData load_training_data(const Config& config);

/// Reads what eval_input names: the first eval_steps x batch_size samples, or all of them if eval_steps is 0.
EvalData load_eval_data(const Config& config);

}  // namespace weft
