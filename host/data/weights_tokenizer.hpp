/// The tokenizer that lies beside the weights that a run begins with.
#pragma once

#include <optional>
#include <string>

#include "host/config/config.hpp"
#include "host/data/tokenizer.hpp"

namespace weft {

struct WeightsFolder {
  const char* key;   ///< of the configuration, that names it
  std::string path;  ///< empty: the run begins with no weights
};

WeightsFolder weights_folder(const Config& config);

/// The checkpoint_path of which eval, generate and `weft export` take the weights; empty: the newest checkpoint of
/// model_dir. That is meant, if there is one, where the command line names model_dir and no checkpoint_path, and where
/// the parameter file is the run's own, model_dir/train/params.yaml: its checkpoint_path is what the run began with.
std::string given_weights(const Config& config);

struct FolderTokenizer {
  std::string file;  ///< that says what tokens are; empty: there is none
  std::optional<Tokenizer> tokenizer =
      std::nullopt;          ///< none, though there is a file: it is of a kind that we have not
  std::string why_not = {};  ///< if it is
};

/// Of a folder of our own: vocab.json. Of one of Hugging Face's: tokenizer.json; or vocab.json and merges.txt, which
/// are then a BPE; or tokenizer.model. Throws Refusal if the file is damaged.
FolderTokenizer tokenizer_in(const std::string& folder);

}  // namespace weft
