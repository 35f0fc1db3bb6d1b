#include "host/tokenizer/json_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "host/checkpoint/json_room.hpp"
#include "sw/base/json_depth.hpp"
#include "sw/base/json_parse.hpp"
#include "sw/base/refusal.hpp"

namespace weft::tokenizer {

nlohmann::json parse_json(std::string_view text) {
  if (nests_deeper(text))
    throw Refusal("", fmt::format("is JSON of more than {} levels", kJsonLevels), "fetch or write the file again");
  checkpoint::check_json_fits(text, "");
  try {
    return parse_json_or_throw(text);
  } catch (const nlohmann::json::parse_error& e) {
    const std::size_t at = std::min<std::size_t>(e.byte, text.size());
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    throw Refusal("", fmt::format("is not JSON from line {} on, byte {}", line, at), "fetch or write the file again");
  } catch (const nlohmann::json::exception&) {  // a number beyond a double's range
    throw Refusal("", "is JSON with a number that is too large", "fetch or write the file again");
  }
}

}  // namespace weft::tokenizer
