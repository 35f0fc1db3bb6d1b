/// Environment variables that define a process's role in a run.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace weft::ranks {

/// Value of a variable; null if it is not set.
using Environment = std::function<const char*(const char* name)>;

/// Hint for manually started runs.
inline constexpr const char* kSetAll = "set RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT, or none of them";

/// Number in `text`, the value of variable `name`. Throws Refusal unless it is between `least` and `most`.
std::int64_t variable_number(const char* name, const std::string& text, std::int64_t least, std::int64_t most,
                             const char* hint = kSetAll);

/// Value of `name`, which must be set because the variable `because` is. Throws Refusal if it is unset or empty.
std::string needed_variable(const Environment& environment, const char* name, const std::string& because,
                            const char* hint = kSetAll);

/// True if `name` is set and not empty.
bool has_variable(const Environment& environment, const char* name);

}  // namespace weft::ranks
