/// Bulk construction of data messages from their parts.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "sw/machine/message.hpp"

namespace weft::machine {

/// Appends the data messages destinations[k] | values[k]; without values, destinations[k]. `values`: null or as many as
/// there are destinations.
inline void append_data(std::span<const std::uint32_t> destinations, const std::uint16_t* values,
                        std::vector<Message>& to) {
  static_assert(std::endian::native == std::endian::little && sizeof(Message) == sizeof(std::uint64_t));
  constexpr std::size_t kSome = 256;  // few enough to stay in the first-level cache
  for (std::size_t begin = 0; begin < destinations.size(); begin += kSome) {
    const std::size_t count = std::min(kSome, destinations.size() - begin);
    alignas(Message) std::byte made[kSome * sizeof(Message)];  // messages as words, so that the loop vectorizes
    for (std::size_t k = 0; k < count; ++k) {
      const std::uint64_t word =
          values != nullptr ? destinations[begin + k] | values[begin + k] : std::uint64_t{destinations[begin + k]};
      std::memcpy(made + k * sizeof word, &word, sizeof word);
    }
    const auto* const first = reinterpret_cast<const Message*>(made);
    to.insert(to.end(), first, first + count);
  }
}

}  // namespace weft::machine
