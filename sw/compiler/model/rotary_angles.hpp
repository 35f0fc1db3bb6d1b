/// Rotary positions (Su et al. 2021): the features of a head that rotate together, and their angles.
#pragma once

#include <string>

namespace weft::compiler {

struct RotaryAngles {
  /// Features that rotate as a pair: "pairs", neighbours, as in GPT-J; "halves", feature i of the first half of the
  /// rotated features and feature i of the second half, as in GPT-NeoX and Hugging Face's LLaMA.
  std::string layout = "pairs";
  double theta = 10000;          ///< base of the frequencies
  std::string scaling = "none";  ///< "linear": all frequencies are divided by `factor`; "llama3": only the low ones
  double factor = 1;
  /// "llama3": frequencies with fewer than low_turns rotations over original_length tokens are divided by `factor`,
  /// those with more than high_turns stay, and those between are interpolated.
  double low_turns = 1, high_turns = 4;
  int original_length = 8192;

  bool has_halves() const { return layout == "halves"; }
};

/// The angle by which pair `pair` of a head rotates from one position to the next, if `rotated` features of a head
/// rotate. The same bits on every host.
double rotary_frequency(const RotaryAngles& angles, int pair, int rotated);

/// The feature of a head at place `place` when pairs are neighbours: the placement of features on rows has this order.
int rotary_feature(const RotaryAngles& angles, int place, int rotated);

}  // namespace weft::compiler
