#include "host/memoryx/weight_limit.hpp"

#include <cmath>
#include <cstdio>

namespace weft::memoryx {
namespace {

std::string in_words(float weight) {
  if (std::isnan(weight)) return "NaN";  // the sign of a NaN has no meaning
  char text[32];
  std::snprintf(text, sizeof text, "%g", static_cast<double>(weight));
  return text;
}

/// Collects the weights of a tensor that are not below the limit.
struct Beyond {
  std::uint64_t seen = 0, first = 0, count = 0;
  float weight = 0;

  void check(std::span<const float> weights) {
    for (const float weight : weights) {
      if (weight_size(weight) >= kWeightSizeLimit && count++ == 0) this->weight = weight, first = seen;
      ++seen;
    }
  }
  std::string text(const compiler::TensorInfo& tensor) const {
    const std::string place = "its element " + std::to_string(first), size = std::to_string(tensor.size);
    return tensor.name + " has a weight of " + in_words(weight) + ": " + place +
           (count == 1 ? " of " + size + " is"
                       : ", and " + std::to_string(count - 1) + " others of its " + size + ", are") +
           " not below 2^20";
  }
};

}  // namespace

std::optional<std::string> beyond_weight_limit(std::span<const compiler::TensorInfo> tensors,
                                               std::span<const float> weights) {
  for (const compiler::TensorInfo& tensor : tensors) {
    Beyond beyond;
    beyond.check(weights.subspan(tensor.offset, tensor.size));
    if (beyond.count > 0) return beyond.text(tensor);
  }
  return std::nullopt;
}

std::optional<std::string> beyond_weight_limit(std::span<const compiler::TensorInfo> tensors, ParameterStore& store) {
  for (const compiler::TensorInfo& tensor : tensors) {
    Beyond beyond;
    in_blocks(store, store.weights().subspan(tensor.offset, tensor.size), false,
              [&](std::span<float> block) { beyond.check(block); });
    if (beyond.count > 0) return beyond.text(tensor);
  }
  return std::nullopt;
}

}  // namespace weft::memoryx
