/// Parses JSON written by other programs.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace weft::tokenizer {

/// Larger ids are invalid: no vocabulary has that many tokens.
inline constexpr std::uint64_t kMostId = (std::uint64_t{1} << 31) - 1;

/// Throws Refusal without a subject that gives the line at which the text stops being JSON, or reports that the values
/// do not fit into memory.
nlohmann::json parse_json(std::string_view text);

}  // namespace weft::tokenizer
