/// The tokenizers that a configuration names: next to its weights, or a file. All functions throw Refusal.
#pragma once

#include <optional>
#include <string>

#include "host/config/config.hpp"
#include "host/tokenizer/tokenizer.hpp"
#include "host/tokenizer/weights_tokenizer.hpp"

namespace weft::tokenizer {

/// True if this value of train_input.tokenizer means a tokenizer from a file, which token shards may be made with.
bool is_of_file(const std::string& tokenizer);

/// The tokenizer of train_input.vocab_file and merges_file, which must be of the kind train_input.tokenizer.
Tokenizer file_tokenizer(const config::Config& config);

/// The tokenizer next to the run's initial weights; empty if the run begins without weights, or has no tokenizer file
/// there.
FolderTokenizer tokenizer_next_to_weights(const config::Config& config);

/// The tokenizer of an existing vocab.json; none if there is no such file.
std::optional<Tokenizer> saved_tokenizer(const config::Config& config);

/// The path of that vocab.json; none if it does not exist.
std::optional<std::string> saved_vocabulary(const config::Config& config);

/// A note that `tokenizer`, in a run that begins with the file `checkpoint`, may differ from the one that the
/// checkpoint was trained with: a tokenizer of characters without a vocab.json. Must be called before the run writes
/// its own vocab.json.
std::optional<std::string> note_new_vocabulary(const config::Config& config, const std::optional<Tokenizer>& tokenizer,
                                               const std::string& checkpoint);

/// A note about a train_input.vocab_file whose folder has files that change ids (host/tokenizer/load.hpp).
std::optional<std::string> note_vocab_file(const config::Config& config);

}  // namespace weft::tokenizer
