#include <fmt/format.h>

#include <numeric>
#include <utility>

#include "host/config/check/sections.hpp"
#include "host/memoryx/fixed_point.hpp"

namespace weft::config {
namespace {

/// Divisors of `whole` nearest to `value` on both sides, like "4 or 8".
std::string divisors_near(int value, int whole) {
  int below = value, above = value;
  while (below > 1 && whole % below != 0) --below;
  while (above < whole && whole % above != 0) ++above;
  if (value > whole) return fmt::format("{}", whole);
  return below == above ? fmt::format("{}", below) : fmt::format("{} or {}", below, above);
}

void check_divides(const Config& c, const char* key, int value, const char* whole_name, int whole) {
  if (whole % value == 0) return;
  throw c.error(key, fmt::format("{} does not divide {} {}", value, whole_name, whole),
                "use " + divisors_near(value, whole));
}

/// A wafer's gradients are added as integers, whose headroom bounds the number of contributions.
void check_batch(const Config& c) {
  // a tied embedding contributes twice, and each group of rows for itself
  const int most = static_cast<int>(memoryx::kMaxContributions) / (c.model.tied ? 2 : 1) / c.groups();
  if (c.micro_batches() <= most) return;
  throw c.error(
      "train_input.batch_size",
      fmt::format("{} sequences are {} micro-batches, more than {}", c.train_input.batch_size, c.micro_batches(), most),
      fmt::format("use batch_size {}, or larger micro-batches", most * c.model.micro_batch));
}

/// Groups have equal numbers of rows, valves and sequences. A number that is still auto becomes one that they divide.
void check_groups(const Config& c) {
  if (c.row_groups == 0 && c.wafer.valves > 0)  // the bits would depend on the valves
    throw c.error("wafer.row_groups", fmt::format("auto, but wafer.valves is {}", c.wafer.valves),
                  "use wafer.valves auto, or a number of groups");
  const int groups = c.groups();
  if (groups == 1) return;
  if (c.any_wafer(&BackendKind::board))
    throw c.error("wafer.row_groups", fmt::format("{}, but a board has one group", groups), "use 1");
  int divided = 0;  // greatest common divisor
  const std::pair<const char*, int> wholes[] = {{"wafer.rows", c.wafer.rows},
                                                {"wafer.valves", c.wafer.valves},
                                                {"train_input.micro_batch_size", c.model.micro_batch},
                                                {"train_input.batch_size", c.train_input.batch_size}};
  for (const auto& whole : wholes) divided = std::gcd(divided, whole.second);
  for (const auto& [key, whole] : wholes)
    if (whole % groups != 0)
      throw c.error("wafer.row_groups", fmt::format("{} does not divide {} {}", groups, key, whole),
                    fmt::format("use {}, or make {} a multiple of {}", divisors_near(groups, divided), key, groups));
}

}  // namespace

void check_batches(const Config& c) {
  check_divides(c, "model.num_heads", c.model.heads, "hidden_size", c.model.hidden);
  check_groups(c);
  if (c.model.micro_batch == 0) return;  // auto: chosen to satisfy the rest
  check_divides(c, "train_input.micro_batch_size", c.model.micro_batch, "batch_size", c.train_input.batch_size);
  check_batch(c);
}

}  // namespace weft::config
