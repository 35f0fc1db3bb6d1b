/// The tokenizer next to the weights that a run begins with.
#pragma once

#include <optional>
#include <string>

#include "host/config/config.hpp"
#include "host/tokenizer/tokenizer.hpp"

namespace weft::tokenizer {

struct WeightsFolder {
  const char* key;   ///< the configuration key that names the folder
  std::string path;  ///< empty: the run begins without weights
};

WeightsFolder weights_folder(const config::Config& config);

/// The checkpoint_path from which eval, generate and `weft export` take the weights; empty: the newest checkpoint of
/// model_dir. That checkpoint, if it exists, is used if the command line sets model_dir and not checkpoint_path, or if
/// the parameter file is the run's own, model_dir/train/params.yaml, whose checkpoint_path is the run's initial
/// checkpoint.
std::string given_weights(const config::Config& config);

struct FolderTokenizer {
  std::string file;                                   ///< the file that defines the tokens; empty: there is none
  std::optional<Tokenizer> tokenizer = std::nullopt;  ///< empty although there is a file: its kind is not supported
  std::string why_not = {};                           ///< the reason, in that case
};

/// The tokenizer in a folder of Weft: vocab.json. In a folder of Hugging Face: tokenizer.json; or vocab.json and
/// merges.txt, which form a BPE; or tokenizer.model. Throws Refusal if the file is damaged.
FolderTokenizer tokenizer_in(const std::string& folder);

}  // namespace weft::tokenizer
