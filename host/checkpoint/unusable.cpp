#include "host/checkpoint/unusable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "host/memoryx/weight_limit.hpp"

namespace weft::checkpoint {
namespace {

std::optional<std::string> not_below(std::span<const float> values, std::uint64_t first, std::uint32_t limit) {
  const auto bad = std::ranges::find_if(values, [&](float value) { return memoryx::weight_size(value) >= limit; });
  if (bad == values.end()) return std::nullopt;
  const std::uint64_t place = first + static_cast<std::uint64_t>(bad - values.begin());
  if (!std::isfinite(*bad)) return fmt::format("element {} is not finite", place);
  return fmt::format("element {} is {}, not below 2^20", place, *bad);
}

}  // namespace

std::optional<std::string> beyond_limit(std::span<const float> weights, std::uint64_t first) {
  return not_below(weights, first, memoryx::kWeightSizeLimit);
}

std::optional<std::string> not_finite(std::span<const float> values, std::uint64_t first) {
  return not_below(values, first, memoryx::weight_size(std::numeric_limits<float>::infinity()));
}

Refusal none_can_be_used(const DamagedFile& newest, std::size_t count, std::string_view hint) {
  const std::string others = count == 1 ? "it is the only checkpoint of its folder"
                                        : fmt::format("none of the {} checkpoints of its folder can be used", count);
  return Refusal(newest.subject(), newest.problem() + ", and " + others, hint);
}

}  // namespace weft::checkpoint
