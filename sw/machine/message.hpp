/// The 38-bit message of the fabric, as the host sees it (docs/message.md).
#pragma once

#include <cstdint>

#include "isa.hpp"

namespace weft {

using Color = isa::Color;
/// Code of a control message on W.
using Command = isa::Command;
/// Of a router.
using Port = isa::Port;

/// A message at the intake. Its color is always W, so it is not stored.
struct Message {
  std::uint32_t data = 0;
  bool ctrl = false;

  friend bool operator==(const Message&, const Message&) = default;

  static constexpr Message command(Command code, std::uint8_t arg, std::uint16_t value) {
    return {static_cast<std::uint32_t>(code) << 24 | static_cast<std::uint32_t>(arg) << 16 | value, true};
  }
  /// `index`: physical feature index; `value`: bf16 bits.
  static constexpr Message weight(std::uint16_t index, std::uint16_t value) {
    return {static_cast<std::uint32_t>(index) << 16 | value, false};
  }
};

}  // namespace weft
