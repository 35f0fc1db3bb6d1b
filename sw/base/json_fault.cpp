#include "sw/base/json_fault.hpp"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "sw/base/json_parse.hpp"
#include "sw/base/refusal.hpp"

namespace weft {
namespace {

/// Returns CAUSE of "[json...] parse error at line 1, column 9: syntax error while parsing value - CAUSE; last read:
/// 'BYTES'; ...".
std::string cause_of(std::string_view what) {
  constexpr std::string_view kBefore = " - ", kBehind = "; last read";
  const std::size_t begin = what.find(kBefore);
  if (begin == what.npos) return "it cannot be read";
  const std::string_view cause = what.substr(begin + kBefore.size());
  return one_line(cause.substr(0, cause.find(kBehind)), 120);
}

}  // namespace

std::string json_fault(std::string_view text) {
  try {
    [[maybe_unused]] const nlohmann::json parsed = parse_json_or_throw(text);
    return {};
  } catch (const nlohmann::json::parse_error& e) {
    const std::size_t at = std::min<std::size_t>(e.byte, text.size());
    const std::string_view before = text.substr(0, at);
    const auto line = 1 + std::ranges::count(before, '\n');
    const bool several = line > 1 || text.find('\n') < text.size() - 1;
    const std::size_t within = several ? at - (before.rfind('\n') + 1) : at;
    return "is not JSON at " + (several ? "line " + std::to_string(line) + ", " : std::string()) + "byte " +
           std::to_string(within) + ": " + cause_of(e.what());
  } catch (const nlohmann::json::exception&) {
    return "is JSON with a number that is too large";
  }
}

std::string without_nan(std::string_view text) {
  constexpr std::string_view kNumbers[] = {"NaN", "Infinity", "-Infinity"};
  std::string result;
  bool inside = false;  // a string
  while (!text.empty()) {
    const auto* number =
        std::ranges::find_if(kNumbers, [&](std::string_view one) { return !inside && text.starts_with(one); });
    std::size_t taken = 1;
    if (number != std::end(kNumbers)) {
      taken = number->size();
      result += "null";
    } else {
      if (inside && text[0] == '\\') taken = std::min<std::size_t>(2, text.size());
      if (text[0] == '"') inside = !inside;
      result += text.substr(0, taken);
    }
    text.remove_prefix(taken);
  }
  return result;
}

}  // namespace weft
