/// Settings for `weft train`: what a text's size and characters ask for.
#pragma once

#include <string>
#include <string_view>

namespace weft::cli {

struct TextSettings {
  std::string tokenizer;  ///< value of train_input.tokenizer: char, byte, or bpe, which is to be trained
  int vocab = 0;          ///< number of tokens
  int layers = 0, hidden = 0, heads = 0, sequence = 0;
  double rate = 0;  ///< highest learning rate
};

/// A pure function of the text's bytes. Throws Refusal that names `file` if the text is empty, too short for a run, or
/// binary data.
TextSettings settings_for(std::string_view text, const std::string& file);

/// Text of a parameter file with these settings, for a run of `steps` steps; without paths.
std::string parameters_for(const TextSettings& settings, int steps);

}  // namespace weft::cli
