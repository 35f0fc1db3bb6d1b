/// Variables of the environment that say which part of a run a process is.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace weft {

/// A variable's value; null: it is not set.
using Environment = std::function<const char*(const char* name)>;

/// Hint about the variables of a run that is started by hand.
inline constexpr const char* kSetAll = "set RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT, or none of them";

/// The number `text` of the variable `name`. Throws Refusal unless it is one from `least` to `most`.
std::int64_t variable_number(const char* name, const std::string& text, std::int64_t least, std::int64_t most,
                             const char* hint = kSetAll);

/// The value of `name`, which must be set because the variable `because` is. Throws Refusal, also if it is empty.
std::string needed_variable(const Environment& environment, const char* name, const std::string& because,
                            const char* hint = kSetAll);

/// True if `name` is set and not empty.
bool has_variable(const Environment& environment, const char* name);

}  // namespace weft
