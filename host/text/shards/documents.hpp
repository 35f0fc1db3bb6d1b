/// The documents of a part.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "host/text/shards/parts.hpp"

namespace weft::text {

/// Calls `document(text, ends)`: with the part's text, and whether the document ends with it; or, of JSON lines, with
/// the text `field` of each, all of which end. Blank lines, and texts that are empty, are left out. What is no JSON
/// object, has no such text, or is refused by `document` is a Refusal that names file and line, or file and offset.
void for_each_document(const Part& part, const std::string& field,
                       const std::function<void(std::string_view, bool)>& document);

}  // namespace weft::text
