/// Resolves arrays and elements by name.
#include <fmt/format.h>

#include <vector>

#include "host/inspect/debug/digits.hpp"
#include "host/inspect/debug/own_names.hpp"
#include "host/inspect/debug/show.hpp"
#include "sw/base/refusal.hpp"

namespace weft::inspect::debug {

void unknown(const std::string& text) {
  throw Refusal(text, "is not a value that can be printed",
                "write r3, psum.r3, csr VL, R[8], M[0x120:8], or an array as x[3][0:8]; info symbols lists arrays");
}

namespace {

/// "x[3][0:8]" split into the name and the bracketed parts.
struct Indexed {
  std::string name;
  std::vector<std::string> indices;
};

Indexed parts_of(const std::string& text) {
  Indexed result{text.substr(0, text.find('[')), {}};
  std::size_t at = result.name.size();
  while (at < text.size()) {
    const std::size_t end = text.find(']', at);
    if (text[at] != '[' || end == std::string::npos) unknown(text);
    result.indices.push_back(text.substr(at + 1, end - at - 1));
    at = end + 1;
  }
  return result;
}

/// Value of the running kernel's parameter of this name, from main's registers.
std::optional<unsigned> parameter(const Target& target, sim::TilePlace tile, const std::string& name) {
  const assembler::Kernel* running = running_kernel(target, tile);
  if (running == nullptr) return std::nullopt;
  for (const assembler::Parameter& p : running->parameters)
    if (p.name == name) return target.state(tile).main.registers.at(static_cast<std::size_t>(p.reg));
  return std::nullopt;
}

}  // namespace

Span find_span(const Target& target, sim::TilePlace tile, const std::string& text) {
  const Names names = target.names(tile);
  if (const auto own = find_own(names, text)) {
    if (!own->array->in_memory())
      throw Refusal(text, "is in the accumulator file", "name an array in memory; print shows accumulators");
    return {static_cast<unsigned>(own->array->address) + own->first, own->count};
  }
  const auto [name, indices] = parts_of(text);
  const auto need = [&](std::string_view text_of) {
    const auto value = digits(text_of);
    if (!value) unknown(text);
    return *value;
  };
  // Parses "a:b" (tokens) or "address:count" (M), or a single number.
  const auto range = [&](const std::string& index, bool counts) -> Span {
    const std::size_t colon = index.find(':');
    const unsigned first = need(index.substr(0, colon));
    if (colon == std::string::npos) return {first, 1};
    const unsigned second = need(index.substr(colon + 1));
    if (!counts && second <= first) unknown(text);
    return {first, counts ? second : second - first};
  };
  Span span;
  if (name == "M" && indices.size() == 1) {
    span = range(indices[0], true);
  } else if (names.own != nullptr) {
    unknown_own(text);
  } else if (!indices.empty() && indices.size() <= 2) {
    const compiler::ArraySymbol* symbol = compiler::find_symbol(names.arrays, name);
    const auto base = parameter(target, tile, name);
    if (!symbol && !base) unknown(text);
    const auto width = static_cast<unsigned>(base ? names.width : symbol->width);
    const unsigned slot = need(indices[0]);
    if (!base && slot >= static_cast<unsigned>(symbol->slots))
      throw Refusal(text, "is beyond the end of the array",
                    fmt::format("{} has {} slots of {}", name, symbol->slots, width));
    if (slot > 0xffff) throw Refusal(text, "is not in memory", "an address has 16 bits");
    span = {(base ? *base : static_cast<unsigned>(symbol->address)) + slot * width, width};
    if (indices.size() == 2) {
      const Span part = range(indices[1], false);
      if (part.first >= width || part.count > width - part.first)
        throw Refusal(text, "is beyond the end of the slot", fmt::format("a slot of {} has {} elements", name, width));
      span = {span.first + part.first, part.count};
    }
  } else {
    unknown(text);
  }
  const auto there = static_cast<unsigned>(target.state(tile).memory.size());
  if (there == 0)
    throw Refusal(text, "the core dump has no memories",
                  "a wafer of more than 512 MiB leaves them out; use a smaller wafer");
  if (span.count == 0 || span.first >= there || span.count > there - span.first)
    throw Refusal(text, "is not in memory", fmt::format("a tile has {} elements", there));
  return span;
}

}  // namespace weft::inspect::debug
