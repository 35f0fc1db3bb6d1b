/// Prints the value of an expression.
#include <fmt/format.h>

#include "host/inspect/debug/digits.hpp"
#include "host/inspect/debug/own_names.hpp"
#include "host/inspect/debug/show.hpp"
#include "isa.hpp"
#include "sw/base/refusal.hpp"
#include "verif/trace/words.hpp"

namespace weft::inspect::debug {
std::string print(const Target& target, sim::TilePlace tile, const std::string& expression) {
  std::string text = expression;
  const bool hex = text.ends_with("/x");
  if (hex) text.resize(text.size() - 2);
  while (text.ends_with(' ')) text.pop_back();
  const machine::TileState state = target.state(tile);
  const bool psum = text.starts_with("psum.");
  std::string_view name = text;
  if (psum || name.starts_with("main.")) name.remove_prefix(5);
  if (name.starts_with("r"))
    if (const auto r = digits(name.substr(1)); r && *r < 16) {
      const std::uint16_t value = (psum ? state.psum : state.main).registers[*r];
      return fmt::format("{} = {} ({:#06x}, bf16 {})", text, value, value, trace::decimal_bf16(value));
    }
  if (name.starts_with("csr ")) {
    for (std::size_t c = 0; c < state.main.control.size(); ++c)
      if (isa::kCsrNames[c] == name.substr(4))
        return fmt::format("{} = {}", text, (psum ? state.psum : state.main).control[c]);
    unknown(expression);
  }
  const auto lanes = static_cast<std::size_t>(target.names(tile).wafer.lanes);
  if (name.starts_with("R[") && name.ends_with("]")) {
    const auto entry = digits(name.substr(2, name.size() - 3));
    if (!entry || *entry >= isa::kRDepth || (*entry + 1) * lanes > state.accumulators.size()) unknown(expression);
    std::string values;
    for (std::size_t l = 0; l < lanes; ++l) {
      const std::uint32_t value = state.accumulators[*entry * lanes + l];
      values += hex ? fmt::format(" {:#010x}", value) : " " + trace::decimal_fp32(value);
    }
    return text + " =" + values;
  }
  if (const auto own = find_own(target.names(tile), text))
    return print_own(*own, state, static_cast<int>(lanes), text, hex);
  if (const auto parameter = print_parameter(target, tile, text)) return text + ", " + *parameter;
  const Span span = find_span(target, tile, text);
  std::string values = fmt::format("{} = M[{:#x}:{}]", text, span.first, span.count);
  for (unsigned k = 0; k < span.count; ++k) {
    const std::uint16_t value = state.memory[span.first + k];
    values += (span.count > 16 && k % 16 == 0) ? "\n  " : " ";
    values += hex ? fmt::format("{:#06x}", value) : trace::decimal_bf16(value);
  }
  return values;
}

}  // namespace weft::inspect::debug
