/// Parses numbers as a user types them.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace weft::inspect::debug {

/// Parses decimal digits, or hexadecimal ones after 0x. Returns nullopt if `text` is not a number or is too large.
template <class Number = unsigned>
std::optional<Number> digits(std::string_view text) {
  Number value = 0;
  const bool hex = text.starts_with("0x");
  if (hex) text.remove_prefix(2);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, hex ? 16 : 10);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace weft::inspect::debug
