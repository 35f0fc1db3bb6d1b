/// What the bits of a run depend on, and the files that it reads.
#pragma once

#include <compare>
#include <string>
#include <vector>

namespace weft::abuse {

enum class Input { Characters, Bytes, Shards };

struct Shape {
  int hidden = 8;
  bool evaluates = false;  ///< every three steps
  Input input = Input::Characters;
  auto operator<=>(const Shape&) const = default;
};

constexpr int kEvalEvery = 3;

/// Writes params.yaml and the data that it names into `folder`; returns the data's files.
std::vector<std::string> write_inputs(const std::string& folder, const Shape& shape);

/// `weft run` in that folder, to be started there.
std::vector<std::string> run_words(const Shape& shape, const std::string& model_dir, int steps);

}  // namespace weft::abuse
