/// Descriptions that a board sends: its properties (ABOUT) and its state (STATUS).
#pragma once

#include <optional>
#include <string>

#include "host/board/link/bytes.hpp"

namespace weft::board {

struct DeviceInfo {
  int rows = 0, cols = 0, lanes = 0, colors = 0, depth = 0, sram_kib = 0;
  int tally = 0;            ///< bits of the cycle counters; 0: there are none
  bool debug = false;       ///< has a debug chain
  bool all_turns = false;   ///< routers have all turns, not only those of training
  std::uint32_t khz = 0;    ///< clock frequency of the wafer
  std::size_t entries = 0;  ///< entries of the index memory
  std::size_t room = 0;     ///< bytes of payload that an empty board accepts
  std::uint64_t build = 0;  ///< hash of the sources
  std::string name;

  /// "ulx3s, 4 x 2 tiles, 4 lanes, 24 KiB, 5 colors and all turns, links of 4, 40 MHz, build 0123456789abcdef"
  std::string text() const;

  friend bool operator==(const DeviceInfo&, const DeviceInfo&) = default;
};

/// Version of the link protocol that this program implements (docs/reference/board_link.md).
inline constexpr int kLinkVersion = 2;

/// Protocol version in an ABOUT; nullopt if the payload is no ABOUT of any version.
std::optional<int> device_info_version(std::span<const std::uint8_t> payload);

/// Returns nullopt if the payload is no ABOUT of version 2 or describes an impossible board.
std::optional<DeviceInfo> decode_device_info(std::span<const std::uint8_t> payload);

struct Status {
  std::uint64_t cycles = 0;                                             ///< since the session began, as below
  std::uint64_t messages = 0;                                           ///< accepted by the valve
  std::uint64_t words = 0;                                              ///< delivered by the outlets
  std::uint32_t damaged = 0, foreign = 0, out_of_order = 0, again = 0;  ///< frames
  bool awake = false, waiting = false, expanding = false, fault = false, unsent = false;
  int rows = 0, cols = 0;
  std::vector<std::uint8_t> flags = {};  ///< [row][1 + cols]: edge, then tiles

  bool idle() const { return !awake && !waiting && !expanding && !unsent; }
  /// Names of the flags that are set, with their places; empty if none is.
  std::string flags_text() const;

  friend bool operator==(const Status&, const Status&) = default;
};

/// Returns nullopt if the payload is no STATUS of such a mesh.
std::optional<Status> decode_status(std::span<const std::uint8_t> payload, int rows, int cols);

}  // namespace weft::board
