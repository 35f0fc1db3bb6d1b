/// Properties of a run that determine its bits, and the files that it reads.
#pragma once

#include <compare>
#include <string>
#include <vector>

namespace weft::fault_injection {

enum class Input { Characters, Bytes, Shards };

struct Shape {
  int hidden = 8;
  bool evaluates = false;  ///< every three steps
  Input input = Input::Characters;
  auto operator<=>(const Shape&) const = default;
};

constexpr int kEvalEvery = 3;

/// Writes params.yaml and its data files into `folder`; returns the data files.
std::vector<std::string> write_inputs(const std::string& folder, const Shape& shape);

/// Arguments of `weft run`, to be started in that folder.
std::vector<std::string> run_words(const Shape& shape, const std::string& model_dir, int steps);

}  // namespace weft::fault_injection
