/// Regular expressions of a tokenizer.json, written for Oniguruma, as PCRE2 reads them.
#pragma once

#include <string>
#include <string_view>

namespace weft::text {

/// The pattern for PCRE2 with UTF and UCP, in which it means the same. Throws Refusal, without a subject, that names
/// the first thing which the two libraries read otherwise, or which is not known to be the same: anchors, \w, \b, \h,
/// scripts, sets in sets, {m,n}+ and so on.
std::string pattern_for_pcre2(std::string_view pattern);

}  // namespace weft::text
