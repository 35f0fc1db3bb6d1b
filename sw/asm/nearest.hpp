/// "Did you mean": the known name most like a mistyped one.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weft::assembler {

/// Levenshtein distance: the number of insertions, deletions and replacements that turn `a` into `b`.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The nearest of `names`, or empty if none is near (more than half of `name` would change).
std::string nearest(std::string_view name, std::span<const std::string> names);

/// A hint: `did you mean 'x'` with the nearest name, or else `otherwise`.
std::string did_you_mean(std::string_view name, std::span<const std::string> names, const std::string& otherwise);

}  // namespace weft::assembler
