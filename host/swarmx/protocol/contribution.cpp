#include "host/swarmx/protocol/contribution.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <limits>
#include <utility>

#include "host/memoryx/fixed_point.hpp"
#include "host/swarmx/base/error.hpp"
#include "sw/base/invariant.hpp"

namespace weft::swarmx {
namespace {

static_assert(std::endian::native == std::endian::little, "values have the same layout in a payload and in memory");

constexpr std::int64_t kWords = std::int64_t{1} << 32;  // flag next to the micro-batch's number: fp32 words follow

}  // namespace

std::span<const std::int64_t> Contribution::fixed(std::vector<std::int64_t>& room) const {
  if (words.empty()) return values;
  room.resize(words.size());
  invariant(memoryx::to_fixed(words, room) == words.size(), "values converted to fixed point have been checked");
  return room;
}

bool Contribution::add_to(std::span<std::int64_t> sum) const {
  return words.empty() ? memoryx::add_fixed(sum, values) : memoryx::add_fixed(sum, words);
}

Frame& carry(Frame& frame, std::span<const std::uint32_t> micro_batches, std::span<const std::int64_t> values) {
  const std::size_t count = micro_batches.size();
  invariant(count > 0 && count <= kMostContained, "a contribution has room for its micro-batches");
  Bytes bytes(8 * (count + values.size()));
  auto* const words = reinterpret_cast<std::int64_t*>(bytes.data());
  std::ranges::copy(values, std::ranges::copy(micro_batches, words).out);
  frame.contains = static_cast<std::uint32_t>(count);
  return frame.carry(std::move(bytes));
}

Frame& carry_words(Frame& frame, std::uint32_t micro_batch, std::size_t count,
                   const std::function<void(std::span<std::uint32_t>)>& fill) {
  Bytes payload = room_for_words(micro_batch, count);
  fill(words_in(payload));
  return carry_words(frame, std::move(payload));
}

Bytes room_for_words(std::uint32_t micro_batch, std::size_t count) {
  Bytes payload(8 + 4 * count);
  const std::int64_t head = kWords | micro_batch;
  std::memcpy(payload.data(), &head, 8);
  return payload;
}

std::span<std::uint32_t> words_in(Bytes& payload) {
  return {reinterpret_cast<std::uint32_t*>(payload.data() + 8), (payload.size() - 8) / 4};
}

Frame& carry_words(Frame& frame, Bytes payload) {
  frame.contains = 1;
  return frame.carry(std::move(payload));
}

Contribution decode_contribution(const Frame& frame) {
  const std::size_t count = frame.contains, bytes = frame.bytes().size();
  check_frame(count > 0 && count <= kMostContained && bytes >= 8 * count, "a contribution has a wrong length");
  const auto* const first = reinterpret_cast<const std::int64_t*>(frame.bytes().data());
  Contribution result{.payload = frame.payload};
  if (count == 1 && *first >> 32 == 1) {
    check_frame(bytes % 4 == 0, "a contribution of fp32 has a wrong length");
    result.words = {reinterpret_cast<const std::uint32_t*>(first + 1), (bytes - 8) / 4};
    result.micro_batches = {static_cast<std::uint32_t>(*first)};
    return result;
  }
  check_frame(bytes % 8 == 0, "a contribution has a wrong length");
  result.values = {first + count, bytes / 8 - count};
  for (const std::int64_t wide : std::span(first, count)) {
    check_frame(wide >= 0 && wide <= std::numeric_limits<std::uint32_t>::max() &&
                    (result.micro_batches.empty() || result.micro_batches.back() < wide),
                "a contribution's micro-batches are not ascending");
    result.micro_batches.push_back(static_cast<std::uint32_t>(wide));
  }
  return result;
}

}  // namespace weft::swarmx
