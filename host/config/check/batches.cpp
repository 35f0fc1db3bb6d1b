#include <fmt/format.h>

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
  // a tied embedding contributes twice
  const int most = static_cast<int>(memoryx::kMaxContributions) / (c.model.tied ? 2 : 1);
  if (c.micro_batches() <= most) return;
  throw c.error(
      "train_input.batch_size",
      fmt::format("{} sequences are {} micro-batches, more than {}", c.train_input.batch_size, c.micro_batches(), most),
      fmt::format("use batch_size {}, or larger micro-batches", most * c.model.micro_batch));
}

}  // namespace

void check_batches(const Config& c) {
  check_divides(c, "model.num_heads", c.model.heads, "hidden_size", c.model.hidden);
  if (c.model.micro_batch == 0) return;  // auto: chosen to satisfy the rest
  check_divides(c, "train_input.micro_batch_size", c.model.micro_batch, "batch_size", c.train_input.batch_size);
  check_batch(c);
}

}  // namespace weft::config
