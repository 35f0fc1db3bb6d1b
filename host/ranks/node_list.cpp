#include "host/ranks/node_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <optional>

namespace weft::ranks {
namespace {

using Names = std::vector<std::string>;

std::optional<std::uint64_t> number_of(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

bool is_of_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::string_view("-_.:").find(c) != std::string_view::npos;
}

/// Expands the inside of brackets, "08,10-11". Each number has as many digits as the first of its range. Returns false
/// if `inside` is malformed.
bool add_numbers(std::string_view inside, std::size_t most, Names& numbers) {
  for (std::string_view rest = inside; numbers.size() < most;) {
    const std::size_t comma = rest.find(',');
    const std::string_view range = rest.substr(0, comma);
    const std::size_t dash = range.find('-');
    const std::string_view from = range.substr(0, dash), to = dash == range.npos ? from : range.substr(dash + 1);
    const auto first = number_of(from), last = number_of(to);
    if (!first || !last || *last < *first) return false;
    for (std::uint64_t n = *first; numbers.size() < most; ++n) {
      numbers.push_back(fmt::format("{:0{}}", n, from.size()));
      if (n == *last) break;
    }
    if (comma == rest.npos) break;
    rest.remove_prefix(comma + 1);
  }
  return true;
}

/// Expands "rack[1-2]n[08,10-11]-ib". Returns false if `text` is malformed.
bool add_names(std::string_view text, std::size_t most, Names& names) {
  Names so_far = {""};
  while (!text.empty()) {
    const std::size_t open = text.find('['), close = text.find(']');
    for (std::string& name : so_far) name += text.substr(0, open);
    if (open == text.npos) {
      if (close != text.npos) return false;
      break;
    }
    Names numbers, longer;
    if (close == text.npos || close < open || !add_numbers(text.substr(open + 1, close - open - 1), most, numbers))
      return false;
    for (const std::string& name : so_far) {
      for (const std::string& number : numbers)
        if (longer.size() < most) longer.push_back(name + number);
    }
    so_far = std::move(longer);
    text.remove_prefix(close + 1);
  }
  for (std::string& name : so_far) {
    if (name.empty() || !std::ranges::all_of(name, is_of_name)) return false;
    if (names.size() < most) names.push_back(std::move(name));
  }
  return true;
}

}  // namespace

std::vector<std::string> node_names(std::string_view list, std::size_t most) {
  Names names;
  bool inside = false;
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= list.size(); ++at) {
    if (at < list.size() && list[at] == '[') inside = true;
    if (at < list.size() && list[at] == ']') inside = false;
    if (at < list.size() && (list[at] != ',' || inside)) continue;
    if (!add_names(list.substr(begin, at - begin), most, names)) return {};
    begin = at + 1;
  }
  return names;
}

}  // namespace weft::ranks
