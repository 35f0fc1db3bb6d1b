/// Extracts the documents of a part.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "host/tokenizer/shards/parts.hpp"

namespace weft::tokenizer {

/// Calls `document(text, ends)` with the part's text, where `ends` tells that the part contains the document's end; for
/// JSON lines, with the text `field` of each line, all with `ends`. Blank lines and empty texts are skipped. Lines that
/// are not JSON objects or lack the text, and errors from `document`, are thrown as a Refusal that names file and line,
/// or file and offset.
void for_each_document(const Part& part, const std::string& field,
                       const std::function<void(std::string_view, bool)>& document);

}  // namespace weft::tokenizer
