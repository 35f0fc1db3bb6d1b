/// JSON that somebody else has written.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace weft::text {

/// Ids beyond this are no ids: nobody has so many tokens.
inline constexpr std::uint64_t kMostId = (std::uint64_t{1} << 31) - 1;

/// Throws Refusal without a subject that says in which line it ends to be JSON, or that its values do not fit into
/// memory.
nlohmann::json parse_json(std::string_view text);

}  // namespace weft::text
