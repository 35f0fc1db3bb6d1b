/// Helpers for tests of tiles with individual programs and routes.
#pragma once

#include <string>

#include "tests/model/both.hpp"

namespace weft::model {

using isa::Port;

constexpr int out(Port port) { return 1 << static_cast<int>(port); }

constexpr int kAll = machine::Selection::kAll;

/// Sets the route of one tile, or of all.
inline void route(Rig& rig, int row, int col, int color, Port from, int outputs) {
  rig.select(row, col).command(machine::Command::Route, 0, color << 11 | static_cast<int>(from) << 8 | outputs);
  rig.select();
}

/// The error from running the rig.
inline std::string failure(Rig& rig) {
  try {
    rig.go();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "nothing";
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

inline std::uint16_t main_register(const Rig& rig, int row, int col, int r) {
  return rig.wafer->state(row, col).main.registers[static_cast<std::size_t>(r)];
}
inline std::uint16_t psum_register(const Rig& rig, int row, int col, int r) {
  return rig.wafer->state(row, col).psum.registers[static_cast<std::size_t>(r)];
}

}  // namespace weft::model
