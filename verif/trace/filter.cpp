#include "verif/trace/filter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <istream>
#include <optional>
#include <ostream>
#include <sstream>

#include "isa_machine.hpp"
#include "sw/base/refusal.hpp"

namespace weft::trace {
namespace {

constexpr std::array<std::string_view, 5> kModes = {"message", "bf16", "fp32", "pc", "flags"};
constexpr unsigned kMessageBits = 38;  // {ctrl, color, data}
constexpr std::string_view kCommandHue = "DarkCyan";
/// One hue per color, like the rows of that color (tile_trace.cpp), dark enough for white letters.
constexpr std::array<std::string_view, 6> kHues = {"SteelBlue",    "Chocolate", "Goldenrod",
                                                   "MediumPurple", "IndianRed", "SlateBlue"};

std::optional<std::uint64_t> number(std::string_view hex) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(hex.data(), hex.data() + hex.size(), value, 16);
  if (error != std::errc() || end != hex.data() + hex.size()) return std::nullopt;
  return value;
}

std::string message(std::uint64_t bits, const TraceNames& names, bool paint) {
  const auto color = static_cast<unsigned>(bits >> 32 & 31);
  const bool ctrl = (bits >> 37 & 1) != 0;
  const std::string words = message_words(color, ctrl, static_cast<std::uint32_t>(bits), names.messages);
  return paint ? fmt::format("?{}?{}", ctrl ? kCommandHue : kHues[color % kHues.size()], words) : words;
}

/// Converts lanes of `digits` hexadecimal digits, the last lane first.
template <class Word>
std::string lanes(std::string_view hex, std::size_t digits, const Word& word) {
  std::string text;
  while (!hex.empty()) {
    const std::size_t take = std::min(digits, hex.size());
    const auto value = number(hex.substr(hex.size() - take));
    text += (text.empty() ? "" : " ") + (value ? word(*value) : std::string("-"));
    hex.remove_suffix(take);
  }
  return text;
}

std::string flags(std::uint64_t bits) {
  std::string text;
  for (unsigned f = 0; f < std::size(isa::kFlagNames); ++f)
    if (bits >> f & 1) text += (text.empty() ? "" : " ") + std::string(isa::kFlagNames[f]);
  return text.empty() ? "-" : text;
}

}  // namespace

void write_names(const TraceNames& names, std::ostream& out) {
  out << "rows " << names.messages.rows << "\npairs " << names.messages.pairs << "\n";
  for (const auto& [address, name] : names.messages.kernels) out << "kernel " << address << " " << name << "\n";
  for (const auto& [address, text] : names.instructions) out << "at " << address << " " << text << "\n";
}

TraceNames read_names(std::istream& in) {
  TraceNames names;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string what, text;
    unsigned value = 0;
    if (!(words >> what >> value)) continue;
    std::getline(words >> std::ws, text);
    if (what == "rows") names.messages.rows = static_cast<int>(std::clamp(value, 1u, 128u));
    if (what == "pairs") names.messages.pairs = value;
    if (what == "kernel") names.messages.kernels[static_cast<std::uint16_t>(value)] = text;
    if (what == "at") names.instructions[value] = text;
  }
  return names;
}

WordsMode words_mode(std::string_view name) {
  const auto* at = std::ranges::find(kModes, name);
  if (at == kModes.end())
    throw Refusal(std::string(name), "is not a kind of value", fmt::format("use one of {}", fmt::join(kModes, ", ")));
  return static_cast<WordsMode>(at - kModes.begin());
}

std::string words_of(WordsMode mode, std::string_view hex, const TraceNames& names, bool paint) {
  if (mode == WordsMode::Bf16)
    return lanes(hex, 4, [](std::uint64_t v) { return decimal_bf16(static_cast<std::uint16_t>(v)); });
  if (mode == WordsMode::Fp32)
    return lanes(hex, 8, [](std::uint64_t v) { return decimal_fp32(static_cast<std::uint32_t>(v)); });
  const bool digits = !hex.empty() && hex.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
  const auto value = number(hex);
  const auto too_wide = [&](unsigned bits) { return digits && (!value || *value >> bits != 0); };
  if (mode == WordsMode::Message && too_wide(kMessageBits))
    return fmt::format("{}: more than {} bits", hex, kMessageBits);
  if (mode == WordsMode::Flags && too_wide(std::size(isa::kFlagNames)))
    return fmt::format("{}: more than {} flags", hex, std::size(isa::kFlagNames));
  if (!value) return hex.find_first_of("xXzZ") != std::string_view::npos ? "-" : std::string(hex);
  if (mode == WordsMode::Message) return message(*value, names, paint);
  if (mode == WordsMode::Flags) return flags(*value);
  const auto at = *value >> 32 ? names.instructions.end() : names.instructions.find(static_cast<unsigned>(*value));
  return at == names.instructions.end() ? std::string(hex) : at->second;
}

}  // namespace weft::trace
