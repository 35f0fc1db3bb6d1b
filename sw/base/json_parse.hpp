/// Text to JSON and back. nlohmann's parser and serializer are templates, which json_parse.cpp compiles once for all
/// libraries.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace weft {

/// Throws nlohmann::json::exception if the text is not JSON.
nlohmann::json parse_json_or_throw(std::string_view text);

/// Returns the value, or a discarded value (is_discarded()) if the text, which another program may have written, is not
/// JSON or nests deeper than kJsonLevels: printing, copying or comparing a value takes a recursive call for each level,
/// and the stack is finite.
nlohmann::json parse_json_or_discard(std::string_view text);
nlohmann::ordered_json parse_ordered_json_or_discard(std::string_view text);

struct JsonForm {
  int indent = -1;       ///< spaces of a level; -1: all in one line
  bool ascii = false;    ///< escape all other characters
  bool replace = false;  ///< replace bytes that are not UTF-8, which throw nlohmann::json::type_error otherwise
};

std::string dump_json(const nlohmann::json& value, const JsonForm& form = {});
std::string dump_json(const nlohmann::ordered_json& value, const JsonForm& form = {});

}  // namespace weft
