/// JSON of a file, which another program may have written.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "sw/base/json_depth.hpp"

namespace weft {

/// Returns the value, or a discarded value (is_discarded()) if the text is not JSON or nests deeper than kJsonLevels:
/// printing, copying or comparing a value takes a recursive call for each level, and the stack is finite.
template <class Json = nlohmann::json>
Json parse_json_or_discard(std::string_view text) {
  return nests_deeper(text) ? Json(Json::value_t::discarded) : Json::parse(text, nullptr, false);
}

}  // namespace weft
