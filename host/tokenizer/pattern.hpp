/// Translates regular expressions of a tokenizer.json, written for Oniguruma, to PCRE2.
#pragma once

#include <string>
#include <string_view>

namespace weft::tokenizer {

/// The equivalent pattern for PCRE2 with UTF and UCP. Throws Refusal, without a subject, that names the first construct
/// that the two libraries interpret differently, or that is not known to be the same: anchors, \w, \b, \h, scripts,
/// sets in sets, {m,n}+ and so on.
std::string pattern_for_pcre2(std::string_view pattern);

}  // namespace weft::tokenizer
