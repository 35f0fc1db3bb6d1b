/// The message as the host sends it (docs/reference/message.md): control bit and data of the fabric's 38-bit message.
#pragma once

#include <cstdint>

#include "isa_machine.hpp"

namespace weft::machine {

using Color = isa::Color;
/// Code of a control message on W.
using Command = isa::Command;
/// Port of a router.
using Port = isa::Port;

/// The tiles that SELECT names: those of a row or of all, in a column or in all.
struct Selection {
  static constexpr int kAll = 0xfff;
  int row = kAll, col = kAll;

  /// The tiles that a SELECT message names.
  static constexpr Selection of(std::uint32_t data) {
    return {static_cast<int>(data >> 12 & 0xfff), static_cast<int>(data & 0xfff)};
  }
  constexpr bool has_row(int r) const { return row == kAll || row == r; }
  constexpr bool has_col(int c) const { return col == kAll || col == c; }
};

/// A message that the host sends. Its color is always W, so it is not stored; link_bits() (verif/sim/intake.hpp) makes
/// the 38 bits of a link.
struct Message {
  std::uint32_t data = 0;
  bool ctrl = false;

  friend bool operator==(const Message&, const Message&) = default;

  static constexpr Message command(Command code, std::uint8_t arg, std::uint16_t value) {
    return {static_cast<std::uint32_t>(code) << 24 | static_cast<std::uint32_t>(arg) << 16 | value, true};
  }
  static constexpr Message select(Selection tiles = {}) {
    return {static_cast<std::uint32_t>(Command::Select) << 24 | static_cast<std::uint32_t>(tiles.row) << 12 |
                static_cast<std::uint32_t>(tiles.col),
            true};
  }
  /// `index`: physical feature index; `value`: bf16 bits.
  static constexpr Message weight(std::uint16_t index, std::uint16_t value) {
    return {static_cast<std::uint32_t>(index) << 16 | value, false};
  }
};

}  // namespace weft::machine
