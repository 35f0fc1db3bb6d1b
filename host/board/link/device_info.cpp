#include "host/board/link/device_info.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "isa_machine.hpp"

namespace weft::board {
namespace {

constexpr int kMostRows = 16;  // records from the board have four bits for the row

bool in(int value, int least, int most) { return value >= least && value <= most; }

bool possible(const DeviceInfo& a) {
  const bool lanes = a.lanes == 2 || a.lanes == 4 || a.lanes == 8 || a.lanes == 16;
  const bool tally = a.tally == 0 || a.tally == 9 || a.tally == 23 || a.tally == 31;
  return lanes && tally && in(a.rows, 1, kMostRows) && in(a.cols, 1, 128) && in(a.colors, 1, 32) &&
         in(a.sram_kib, 1, 128) && a.depth >= 1 && a.entries >= 1 && a.room >= 1 && a.khz >= 1;
}

}  // namespace

std::string DeviceInfo::text() const {
  return fmt::format("{}, {} x {} tiles, {} lanes, {} KiB, {} colors{}, links of {}, {:g} MHz, build {:016x}", name,
                     rows, cols, lanes, sram_kib, colors, all_turns ? " and all turns" : "", depth, khz / 1000.0,
                     build);
}

std::optional<int> device_info_version(std::span<const std::uint8_t> payload) {
  ByteReader from(payload);
  constexpr std::string_view kMagic = "WEFT";
  if (!std::ranges::equal(from.take_bytes(4), kMagic)) return {};
  const int version = from.take<std::uint8_t>();
  return from.good() ? std::optional(version) : std::nullopt;
}

std::optional<DeviceInfo> decode_device_info(std::span<const std::uint8_t> payload) {
  ByteReader from(payload);
  if (device_info_version(payload) != kLinkVersion) return {};
  from.take_bytes(5);
  DeviceInfo a;
  const auto number = [&] { return static_cast<int>(from.take<std::uint8_t>()); };
  a.rows = number();
  a.cols = number();
  a.lanes = number();
  a.colors = number();
  a.depth = number();
  a.sram_kib = number();
  a.tally = number();
  const int valves = number();
  a.debug = number() != 0;
  a.all_turns = number() != 0;
  from.take_bytes(1);
  a.khz = from.take<std::uint32_t>();
  a.entries = from.take<std::uint16_t>();
  a.room = from.take<std::uint16_t>();
  a.build = from.take<std::uint64_t>();
  for (const std::uint8_t c : from.take_bytes(16))
    if (c != 0) a.name += c >= ' ' && c <= '~' ? static_cast<char>(c) : '?';
  if (!from.good() || from.left() != 0 || valves != 1 || !possible(a)) return {};
  return a;
}

std::string Status::flags_text() const {
  std::string text;
  for (int row = 0; row < rows; ++row) {
    for (int place = 0; place <= cols; ++place) {
      const unsigned bits = flags[static_cast<std::size_t>(row * (cols + 1) + place)];
      for (unsigned f = 0; f < std::size(isa::kFlagNames); ++f) {
        if ((bits >> f & 1) == 0) continue;
        text += fmt::format("{}row {} {} {}", text.empty() ? "" : ", ", row,
                            place == 0 ? "edge" : fmt::format("column {}", place - 1), isa::kFlagNames[f]);
      }
    }
  }
  return text;
}

std::optional<Status> decode_status(std::span<const std::uint8_t> payload, int rows, int cols) {
  ByteReader from(payload);
  Status s;
  s.cycles = from.take<std::uint64_t>();
  s.messages = from.take<std::uint64_t>();
  s.words = from.take<std::uint64_t>();
  s.damaged = from.take<std::uint32_t>();
  s.foreign = from.take<std::uint32_t>();
  s.out_of_order = from.take<std::uint32_t>();
  s.again = from.take<std::uint32_t>();
  const auto bits = from.take<std::uint8_t>();
  s.awake = (bits & 1) != 0;
  s.waiting = (bits & 2) != 0;
  s.expanding = (bits & 4) != 0;
  s.fault = (bits & 8) != 0;
  s.unsent = (bits & 16) != 0;
  s.rows = from.take<std::uint8_t>();
  s.cols = cols;
  const auto flags = from.take_bytes(static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols + 1));
  if (!from.good() || from.left() != 0 || s.rows != rows) return {};
  s.flags.assign(flags.begin(), flags.end());
  return s;
}

}  // namespace weft::board
