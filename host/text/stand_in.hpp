/// Text for PCRE2, whose Unicode tables may be older or younger than those of unicode.hpp.
#pragma once

#include <string>
#include <string_view>

namespace weft::text {

/// `text` with another character of the same length, in bytes, for each that PCRE2 has in another category than
/// categories() says: one that both have in that category. So \p{..} and \s mean the same for every PCRE2, and ends of
/// words are where they were. A byte that is no UTF-8 becomes DEL, a control character. Returns false, and leaves `out`
/// alone, if nothing of it stands for anything else. Thread-safe.
bool with_stand_ins(std::string_view text, std::string& out);

}  // namespace weft::text
