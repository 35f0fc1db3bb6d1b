#include "host/inspect/debug/own_names.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "host/inspect/debug/digits.hpp"
#include "host/inspect/debug/show.hpp"
#include "sw/base/refusal.hpp"
#include "verif/trace/words.hpp"

namespace weft::inspect::debug {

void unknown_own(const std::string& text) {
  throw Refusal(text, "is not a value that can be printed",
                "write r3, psum.r3, csr VL, R[8], M[0x120:8], or an array as u[0:8]; info symbols lists arrays");
}

std::optional<OwnSpan> find_own(const Names& names, const std::string& text) {
  if (names.own == nullptr) return std::nullopt;
  const std::size_t open = text.find('[');
  const auto array = std::ranges::find(names.own->arrays, text.substr(0, open), &assembler::Array::name);
  if (array == names.own->arrays.end()) return std::nullopt;
  const auto all = static_cast<unsigned>(array->count);
  if (open == std::string::npos) return OwnSpan{&*array, 0, all};
  if (!text.ends_with(']')) unknown_own(text);
  const std::string index = text.substr(open + 1, text.size() - open - 2);
  const std::size_t colon = index.find(':');
  const auto first = digits(index.substr(0, colon));
  const auto end = colon == std::string::npos ? first : digits(index.substr(colon + 1));
  if (!first || !end) unknown_own(text);
  const unsigned count = colon == std::string::npos ? 1 : *end > *first ? *end - *first : 0;
  if (count == 0) unknown_own(text);
  if (*first >= all || count > all - *first)
    throw Refusal(text, "is beyond the end of the array", fmt::format("{} has {} elements", array->name, all));
  return OwnSpan{&*array, *first, count};
}

std::string print_own(const OwnSpan& span, const machine::TileState& state, int lanes, const std::string& text,
                      bool hex) {
  const assembler::Array& array = *span.array;
  const auto at = static_cast<unsigned>(array.address);
  std::string values = text + " = ";
  values += array.in_memory() ? fmt::format("M[{:#x}:{}]", at + span.first, span.count)
                              : fmt::format("R[{}]", at + span.first / static_cast<unsigned>(lanes));
  for (unsigned k = 0; k < span.count; ++k) {
    values += (span.count > 16 && k % 16 == 0) ? "\n  " : " ";
    const unsigned element = span.first + k;
    if (array.in_memory()) {
      const std::uint16_t value = state.memory.at(at + element);
      values += hex                                           ? fmt::format("{:#06x}", value)
                : array.type == assembler::ElementType::Int16 ? fmt::format("{}", static_cast<std::int16_t>(value))
                                                              : trace::decimal_bf16(value);
    } else {
      const std::uint32_t value = state.accumulators.at(at * static_cast<unsigned>(lanes) + element);
      values += hex ? fmt::format("{:#010x}", value) : trace::decimal_fp32(value);
    }
  }
  return values;
}

std::optional<std::string> print_parameter(const Target& target, sim::TilePlace tile, const std::string& name) {
  if (target.names(tile).own == nullptr) return std::nullopt;
  const assembler::Kernel* const running = running_kernel(target, tile);
  if (running == nullptr) return std::nullopt;
  const auto found = std::ranges::find(running->parameters, name, &assembler::Parameter::name);
  if (found == running->parameters.end()) return std::nullopt;
  return print(target, tile, fmt::format("main.r{}", found->reg));
}

std::string own_symbols(const OwnNames& own) {
  std::string text;
  for (const assembler::Array& a : own.arrays)
    text += fmt::format("{} {}, {}[{}]\n",
                        a.in_memory() ? fmt::format("M[{:#06x}]", a.address) : fmt::format("R[{}]", a.address), a.name,
                        assembler::kElementTypes[static_cast<std::size_t>(a.type)], a.count);
  for (const auto& [name, color] : own.streams)
    text += fmt::format("{} {}, a stream\n", trace::color_word(color), name);
  return text;
}

std::string color_name(const Names& names, unsigned color) {
  std::string text = trace::color_word(color), streams;
  if (names.own != nullptr)
    for (const auto& [name, of] : names.own->streams)
      if (of == color) streams += (streams.empty() ? "" : ", ") + name;
  return streams.empty() ? text : fmt::format("{} ({})", text, streams);
}

}  // namespace weft::inspect::debug
