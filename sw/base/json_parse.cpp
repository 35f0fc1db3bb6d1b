#include "sw/base/json_parse.hpp"

#include "sw/base/json_depth.hpp"

namespace weft {
namespace {

template <class Json>
Json parse_or_discard(std::string_view text) {
  return nests_deeper(text) ? Json(Json::value_t::discarded) : Json::parse(text, nullptr, false);
}

template <class Json>
std::string dump(const Json& value, const JsonForm& form) {
  using Invalid = typename Json::error_handler_t;
  return value.dump(form.indent, ' ', form.ascii, form.replace ? Invalid::replace : Invalid::strict);
}

}  // namespace

nlohmann::json parse_json_or_throw(std::string_view text) { return nlohmann::json::parse(text); }

nlohmann::json parse_json_or_discard(std::string_view text) { return parse_or_discard<nlohmann::json>(text); }

nlohmann::ordered_json parse_ordered_json_or_discard(std::string_view text) {
  return parse_or_discard<nlohmann::ordered_json>(text);
}

std::string dump_json(const nlohmann::json& value, const JsonForm& form) { return dump(value, form); }

std::string dump_json(const nlohmann::ordered_json& value, const JsonForm& form) { return dump(value, form); }

}  // namespace weft
