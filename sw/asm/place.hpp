/// Places in source text, for messages.
#pragma once

#include <string>

#include "sw/asm/program.hpp"

namespace weft::assembler {

/// A line of a source. Views the source.
struct Place {
  const Source* source = nullptr;  ///< null: the caller's constants
  int line = 0;                    ///< from 1
};

inline std::string file_of(const Place& at) { return at.source ? std::string(at.source->name) : "the caller"; }

/// "k.s:12"
inline std::string text_of(const Place& at) {
  return at.source ? file_of(at) + ":" + std::to_string(at.line) : file_of(at);
}

}  // namespace weft::assembler
