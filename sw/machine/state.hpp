/// The architectural state of a tile: all that programs can observe, in which every machine that runs them must agree.
///
/// This is the only list of that state. It excludes messages in flight: where they wait is specific to each machine.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "isa_machine.hpp"

namespace weft::machine {

struct ThreadState {
  bool runs = false;                          ///< not halted
  std::uint16_t pc = 0;                       ///< address of its next instruction; 0 if it has halted
  std::array<std::uint16_t, 16> registers{};  ///< r0 is 0
  std::array<std::uint16_t, 8> control{};     ///< VL to STR; those that the thread does not have are 0

  friend bool operator==(const ThreadState&, const ThreadState&) = default;
};

/// A handoff queue.
struct HandoffState {
  std::vector<std::uint8_t> entries;     ///< the front first: {empty:1, last:1, count:5} of MP, 0 of PM
  int put_buffer = 0, taken_buffer = 0;  ///< buffer of the next entry: one of three of MP, one of two of PM
  bool filled = false;                   ///< MP: true if the next entry's buffer has had a weight

  friend bool operator==(const HandoffState&, const HandoffState&) = default;
};

struct TileState {
  std::vector<std::uint16_t> memory;        ///< [element]
  std::vector<std::uint32_t> accumulators;  ///< [entry][lane], fp32
  std::vector<std::uint32_t> instructions;  ///< [address]
  ThreadState main, psum;
  HandoffState mp, pm;
  bool selected = true;
  std::uint16_t instruction_address = 0;            ///< address that IHI writes, modulo IDEPTH
  std::uint16_t low_half = 0;                       ///< the value of ILO
  std::uint16_t memory_address = 0;                 ///< address that MDATA writes
  std::array<std::vector<std::uint8_t>, 5> routes;  ///< [port][color], sets of outputs
  std::uint8_t flags = 0;                           ///< sticky, bit by isa::Flag
  std::uint64_t beats = 0, fma_lanes = 0;           ///< counters

  friend bool operator==(const TileState&, const TileState&) = default;
};

/// One part of a state, with its name.
struct StatePart {
  std::string name;
  std::vector<std::uint64_t> numbers;
  std::size_t width = 0;  ///< numbers per line of a table; 0: a list
};

/// All parts of a state, in order.
inline std::vector<StatePart> parts(const TileState& s) {
  std::vector<StatePart> list;
  const auto one = [&](const std::string& name, std::uint64_t number) { list.push_back({name, {number}}); };
  const auto all = [&](const std::string& name, const auto& numbers, std::size_t width = 0) {
    list.push_back({name, {numbers.begin(), numbers.end()}, width});
  };
  const auto thread = [&](const std::string& name, const ThreadState& t) {
    one(name + ".runs", t.runs);
    one(name + ".pc", t.pc);
    all(name + ".r", t.registers);
    all(name + ".csr", t.control);
  };
  const auto handoff = [&](const std::string& name, const HandoffState& h) {
    all(name + ".entries", h.entries);
    one(name + ".put_buffer", static_cast<std::uint64_t>(h.put_buffer));
    one(name + ".taken_buffer", static_cast<std::uint64_t>(h.taken_buffer));
    if (name == "MP") one("MP.filled", h.filled);
  };
  all("M", s.memory);
  all("R", s.accumulators, s.accumulators.size() / isa::kRDepth);
  all("I", s.instructions);
  thread("main", s.main);
  thread("psum", s.psum);
  handoff("MP", s.mp);
  handoff("PM", s.pm);
  one("selected", s.selected);
  one("instruction_address", s.instruction_address);
  one("low_half", s.low_half);
  one("memory_address", s.memory_address);
  for (std::size_t port = 0; port < s.routes.size(); ++port)
    all("route." + std::string(isa::kPortNames[port]), s.routes[port]);
  one("flags", s.flags);
  one("beats", s.beats);
  one("fma_lanes", s.fma_lanes);
  return list;
}

/// The differences, one per line: `M[12]: 0x3f80, 0x0`. At most `most` lines, then the number of further ones. Empty if
/// both states are equal.
inline std::string difference(const TileState& a, const TileState& b, int most = 8) {
  std::ostringstream text;
  text << std::hex;
  int lines = 0;
  const auto line = [&](const auto&... what) {
    if (++lines <= most) (text << ... << what) << "\n";
  };
  const std::vector<StatePart> left = parts(a), right = parts(b);
  for (std::size_t p = 0; p < left.size(); ++p) {
    const auto& [name, x, width] = left[p];
    const auto& y = right[p].numbers;
    if (x.size() != y.size()) line(name, " has ", std::dec, x.size(), ", ", y.size(), std::hex, " numbers");
    for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
      if (x[i] == y[i]) continue;
      std::string place = name;
      if (width) place += "[" + std::to_string(i / width) + "][" + std::to_string(i % width) + "]";
      if (!width && x.size() > 1) place += "[" + std::to_string(i) + "]";
      line(place, ": 0x", x[i], ", 0x", y[i]);
    }
  }
  if (lines > most) text << std::dec << "and " << lines - most << " more\n";
  return text.str();
}

}  // namespace weft::machine
