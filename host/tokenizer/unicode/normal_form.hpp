/// Unicode normal forms (Unicode Standard Annex 15), as the normalizers of the package `tokenizers`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace weft::tokenizer {

enum class NormalForm : std::uint8_t { Nfc, Nfd, Nfkc, Nfkd };

/// The text in a normal form. Bytes that are not valid UTF-8 do not change, and the texts before and after them are
/// normalized separately. Characters with a normal form only since a Unicode version after that of the package
/// `tokenizers` are treated likewise.
/// Throws Refusal without a subject if this program was built without libutf8proc.
std::string normalized(std::string_view text, NormalForm form);

/// The name in a tokenizer.json.
constexpr std::string_view name_of(NormalForm form) {
  constexpr std::string_view kNames[] = {"NFC", "NFD", "NFKC", "NFKD"};
  return kNames[static_cast<std::size_t>(form)];
}

}  // namespace weft::tokenizer
