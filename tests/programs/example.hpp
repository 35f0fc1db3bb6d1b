/// Wafers of the tests in this folder.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "host/programs/build.hpp"
#include "host/programs/session.hpp"
#include "sw/base/refusal.hpp"
#include "tests/random.hpp"

namespace weft::programs {

inline constexpr const char* kBackends[] = {"model", "rtl"};

inline machine::WaferShape mesh(int rows, int cols) { return {.rows = rows, .cols = cols, .sram_kib = 4}; }

/// A layout of one program in all tiles.
inline Layout layout_of(const std::string& text, std::vector<Stream> streams = {},
                        std::map<std::string, int> parameters = {}) {
  return {.programs = {{"mine.s", text, std::move(parameters), {}}}, .streams = std::move(streams)};
}

inline Stream shift(const std::string& name, int rows, int cols, std::optional<int> color = {}) {
  return {name, {.kind = Way::Kind::Shift, .step = {rows, cols}, .tiles = {}}, {}, color};
}

/// The text of the Refusal that `work` throws.
template <class Work>
std::string refusal_of(const Work& work) {
  try {
    work();
  } catch (const Refusal& e) {
    return e.what();
  }
  return "no refusal";
}

}  // namespace weft::programs
