/// Loads the data that a configuration names: files, tokenizer, samples. All functions throw Refusal.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "host/config/config.hpp"
#include "host/data/data.hpp"
#include "host/tokenizer/tokenizer.hpp"

namespace weft::data {

/// The model's tokenizer: from the vocab.json next to the run's initial checkpoint, so that ids keep their meaning;
/// otherwise made from the training text. None if the model is trained on token shards of an unknown tokenizer.
std::optional<tokenizer::Tokenizer> load_tokenizer(const config::Config& config);

/// A note about a train_input.shard_format without effect, because no data set has token shards.
std::optional<std::string> note_shard_format(const config::Config& config);

/// Reads the data sets of train_input; each token must be below vocab_size.
TrainingData load_training_data(const config::Config& config);

/// Samples that the program gives, in the shape and number of train_input, in their order.
TrainingData given_training_data(const config::Config& config, std::shared_ptr<const Samples> samples);

/// Reads the data set of eval_input: the first eval_steps x batch_size samples, or all of them if eval_steps is 0.
EvalData load_eval_data(const config::Config& config);

}  // namespace weft::data
