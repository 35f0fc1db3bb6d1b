/// Code points that have normal forms only since a Unicode version after that of the package `tokenizers`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>

namespace weft::tokenizer {

struct CodeRange {
  std::uint32_t first, last;
};

/// Sorted. The package `tokenizers` leaves these as they are, and composes them with nothing (normal_form_table.py).
extern const CodeRange kLaterForms[];
extern const std::size_t kLaterFormCount;

}  // namespace weft::tokenizer
