#include "host/config/options.hpp"

#include <charconv>

#include "sw/base/refusal.hpp"

namespace weft {

std::string option(const Options& options, const std::string& name, const std::string& otherwise) {
  const auto at = options.find(name);
  return at == options.end() ? otherwise : at->second;
}

std::uint64_t number(const Options& options, const std::string& name, std::uint64_t otherwise) {
  const std::string text = option(options, name, std::to_string(otherwise));
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size() || value > 1'000'000'000'000)
    throw Refusal("--" + name, text + " is no number", "write digits");
  return value;
}

}  // namespace weft
