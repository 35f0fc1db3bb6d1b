/// Messages in the records of a host without a packer.
#pragma once

#include <cstdint>
#include <span>

#include "host/board/link/bytes.hpp"
#include "sw/machine/message.hpp"

namespace weft::board {

/// One record per message.
inline Bytes single_records(std::span<const machine::Message> messages) {
  Bytes bytes;
  for (const machine::Message& m : messages) {
    append(bytes, std::uint8_t{1});
    append(bytes, std::uint16_t{1});
    append(bytes, static_cast<std::uint8_t>(m.ctrl));
    append(bytes, m.data);
  }
  return bytes;
}

}  // namespace weft::board
