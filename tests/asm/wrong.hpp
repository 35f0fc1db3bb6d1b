/// Invalid sources, and the assembler's errors.
#pragma once

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "sw/asm/assembler.hpp"

namespace weft::assembler {

/// The error from assembling `sources`, which must begin with the error's place; "no error" if there is none.
inline std::string error_of(const std::vector<Source>& sources, const Constants& constants = {}) {
  try {
    assemble(sources, constants);
  } catch (const AssemblyError& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with(error.file + ":" + std::to_string(error.line) + ": "))
        << error.what();
    return error.what();
  }
  return "no error";
}
inline std::string error_of(const std::string& text) { return error_of({{"k.s", text}}); }

struct Wrong {
  std::string text, error;
};
inline void PrintTo(const Wrong& wrong, std::ostream* out) { *out << wrong.text; }

}  // namespace weft::assembler
