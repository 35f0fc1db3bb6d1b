/// "Did you mean": the known name most like a mistyped one.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace weft {

/// The known name with the smallest edit distance to `name` (insertions, deletions and replacements of characters);
/// the first in case of a tie; empty if each has a distance above `most`.
std::string nearest(std::string_view name, std::span<const std::string_view> known, std::size_t most);

/// As above; names are unrelated if more than half of `name` would change.
inline std::string nearest(std::string_view name, std::span<const std::string_view> known) {
  return nearest(name, known, name.size() / 2);
}

/// A hint: `did you mean 'x'?` with the nearest name, or else `otherwise`. A name of one character may have one wrong;
/// a name of more than 64 characters is taken for no typing error.
std::string did_you_mean(std::string_view name, std::span<const std::string> known, const std::string& otherwise);

}  // namespace weft
