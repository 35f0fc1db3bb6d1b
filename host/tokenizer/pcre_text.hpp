/// Prepares text for PCRE2, whose Unicode tables may be older or newer than those of unicode.hpp.
#pragma once

#include <string>
#include <string_view>

namespace weft::tokenizer {

/// Copies `text` to `out` with each character that PCRE2 has in another category than categories() replaced by one of
/// the same length in bytes that both have in the same category. So \p{..} and \s have the same meaning for every
/// version of PCRE2, and the offsets of words do not change. A byte of invalid UTF-8 becomes DEL, a control character.
/// Returns false, and leaves `out` unchanged, if nothing needs to be replaced. Thread-safe.
bool with_stand_ins(std::string_view text, std::string& out);

}  // namespace weft::tokenizer
