#include "host/config/command_line/options.hpp"

#include <charconv>

#include "sw/base/refusal.hpp"

namespace weft::config {

std::string option(const Options& options, const std::string& name, const std::string& otherwise) {
  const auto at = options.find(name);
  return at == options.end() ? otherwise : at->second;
}

std::uint64_t number(const Options& options, const std::string& name, std::uint64_t otherwise) {
  const std::string text = option(options, name, std::to_string(otherwise));
  constexpr std::uint64_t kMost = 1'000'000'000'000;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error == std::errc::invalid_argument || end != text.data() + text.size())
    throw Refusal("--" + name, text + " is not a number", "write digits");
  if (error != std::errc() || value > kMost)
    throw Refusal("--" + name, text + " is out of range", "use at most " + std::to_string(kMost));
  return value;
}

}  // namespace weft::config
