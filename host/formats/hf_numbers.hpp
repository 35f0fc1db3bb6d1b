/// Numbers of a config.json of Hugging Face, with a list of what is wrong with them.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace weft::formats {

/// An integer of the file in 1..`most`; `otherwise` if it is missing or invalid, and an invalid one is added to
/// `problems`.
inline int whole(const nlohmann::ordered_json& config, std::string_view key, int otherwise,
                 std::vector<std::string>& problems, std::int64_t most = 65535) {
  const auto at = config.find(key);
  if (at == config.end() || at->is_null()) return otherwise;
  if (at->is_number_integer() && *at >= 1 && *at <= most) return at->get<int>();
  problems.push_back(fmt::format("{} is {}, not a number of 1 to {}", key, at->dump(), most));
  return otherwise;
}

}  // namespace weft::formats
