#include "host/swarmx/contribution.hpp"

#include <bit>
#include <cstddef>
#include <cstring>
#include <limits>

#include "host/memoryx/invariant.hpp"
#include "host/swarmx/error.hpp"

namespace weft {
namespace {

static_assert(std::endian::native == std::endian::little, "values are in a payload as they are in memory");

}  // namespace

Frame& carry(Frame& frame, std::span<const std::uint32_t> micro_batches, std::size_t values,
             const std::function<void(std::span<std::int64_t>)>& fill) {
  const std::size_t count = micro_batches.size();
  invariant(count > 0 && count <= kMostContained, "a contribution has room for its micro-batches");
  Bytes bytes(8 * (count + values));
  auto* const words = reinterpret_cast<std::int64_t*>(bytes.data());
  std::ranges::copy(micro_batches, words);
  fill({words + count, values});
  frame.contains = static_cast<std::uint32_t>(count);
  return frame.carry(std::move(bytes));
}

Frame& carry(Frame& frame, std::span<const std::uint32_t> micro_batches, std::span<const std::int64_t> values) {
  return carry(frame, micro_batches, values.size(),
               [&](std::span<std::int64_t> into) { std::ranges::copy(values, into.begin()); });
}

Contribution decode_contribution(const Frame& frame) {
  const std::size_t count = frame.contains, bytes = frame.bytes().size();
  check_frame(count > 0 && count <= kMostContained && bytes % 8 == 0 && bytes >= 8 * count,
              "a contribution has a wrong length");
  const auto* const words = reinterpret_cast<const std::int64_t*>(frame.bytes().data());
  Contribution result{.micro_batches = {}, .values = {words + count, bytes / 8 - count}, .payload = frame.payload};
  for (const std::int64_t wide : std::span(words, count)) {
    check_frame(wide >= 0 && wide <= std::numeric_limits<std::uint32_t>::max() &&
                    (result.micro_batches.empty() || result.micro_batches.back() < wide),
                "a contribution's micro-batches are not ascending");
    result.micro_batches.push_back(static_cast<std::uint32_t>(wide));
  }
  return result;
}

}  // namespace weft
