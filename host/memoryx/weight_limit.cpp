#include "host/memoryx/weight_limit.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace weft {
namespace {

std::string in_words(float weight) {
  if (std::isnan(weight)) return "NaN";  // the sign of one says nothing
  char text[32];
  std::snprintf(text, sizeof text, "%g", static_cast<double>(weight));
  return text;
}

}  // namespace

std::optional<std::string> beyond_weight_limit(std::span<const TensorInfo> tensors, std::span<const float> weights) {
  const auto beyond = [](float weight) { return weight_size(weight) >= kWeightSizeLimit; };
  for (const TensorInfo& tensor : tensors) {
    const std::span<const float> own = weights.subspan(tensor.offset, tensor.size);
    const auto first = std::ranges::find_if(own, beyond);
    if (first == own.end()) continue;
    const auto others = std::count_if(first + 1, own.end(), beyond);
    const std::string place = "its element " + std::to_string(first - own.begin());
    const std::string size = std::to_string(own.size());
    return tensor.name + " has a weight of " + in_words(*first) + ": " + place +
           (others == 0 ? " of " + size + " is"
                        : ", and " + std::to_string(others) + " others of its " + size + ", are") +
           " not below 2^20";
  }
  return std::nullopt;
}

}  // namespace weft
