#include "host/look/debug/show.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "isa.hpp"
#include "sw/base/refusal.hpp"
#include "verif/trace/filter.hpp"

namespace weft::debug {
namespace {

std::optional<unsigned> number(std::string_view text) {
  unsigned value = 0;
  const bool hex = text.starts_with("0x");
  if (hex) text.remove_prefix(2);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, hex ? 16 : 10);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

[[noreturn]] void unknown(const std::string& text) {
  throw Refusal(text, "is nothing that can be looked at",
                "write r3, psum.r3, csr VL, R[8], M[0x120:8], or an array as x[3][0:8]; info symbols lists arrays");
}

/// "x[3][0:8]" in parts: the name, and what is in brackets.
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

/// The kernel that main is in; null at rest.
const Kernel* running_kernel(const Target& target, TilePlace tile) {
  const ThreadView& main = target.view(tile).main;
  const Kernel* running = nullptr;
  if (main.state == 0 && main.sequencer == 0 && target.view(tile).psum.state == 0) return nullptr;
  for (const Kernel& kernel : target.plan().program.kernels)
    if (kernel.address <= main.pc) running = &kernel;
  return running;
}

/// Main's register that the running kernel calls so.
std::optional<unsigned> parameter(const Target& target, TilePlace tile, const std::string& name) {
  const Kernel* running = running_kernel(target, tile);
  if (running == nullptr) return std::nullopt;
  for (const Parameter& p : running->parameters)
    if (p.name == name) return target.state(tile).main.registers.at(static_cast<std::size_t>(p.reg));
  return std::nullopt;
}

std::string registers(const ThreadState& thread) {
  std::string text;
  for (std::size_t r = 1; r < thread.registers.size(); ++r) text += fmt::format(" r{}={}", r, thread.registers[r]);
  return text;
}

std::string thread_line(const Target& target, TilePlace tile, bool psum) {
  const ThreadView& v = psum ? target.view(tile).psum : target.view(tile).main;
  const InstructionNames names(target.plan().program);
  std::string text = v.state == 0 ? "halted" : "at " + names.at(v.pc);
  if (v.sequencer != 0) text += fmt::format("; unit works on {}", names.at(target.sequenced(tile, psum)));
  if (v.cause >= 0) text += fmt::format("; {}", isa::kCauseNames[v.cause]);
  return fmt::format("  {} {}\n", psum ? "psum" : "main", text);
}

}  // namespace

Span find_span(const Target& target, TilePlace tile, const std::string& text) {
  const auto [name, indices] = parts_of(text);
  const auto need = [&](std::string_view digits) {
    const auto value = number(digits);
    if (!value) unknown(text);
    return *value;
  };
  // "a:b" of tokens, or "address:count" of M; and one number alone.
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
  } else if (!indices.empty() && indices.size() <= 2) {
    const ArraySymbol* symbol = find_symbol(target.plan().arrays, name);
    const auto base = parameter(target, tile, name);
    if (!symbol && !base) unknown(text);
    const auto width = static_cast<unsigned>(base ? target.plan().tokens_per_column : symbol->width);
    const unsigned slot = need(indices[0]);
    if (!base && slot >= static_cast<unsigned>(symbol->slots))
      throw Refusal(text, "is behind the array", fmt::format("{} has {} slots of {}", name, symbol->slots, width));
    span = {(base ? *base : static_cast<unsigned>(symbol->address)) + slot * width, width};
    if (indices.size() == 2) {
      const Span part = range(indices[1], false);
      if (part.first >= width || part.count > width - part.first)
        throw Refusal(text, "is behind the slot", fmt::format("a slot of {} has {} elements", name, width));
      span = {span.first + part.first, part.count};
    }
  } else {
    unknown(text);
  }
  const auto there = static_cast<unsigned>(target.plan().wafer.sram_elements());
  if (span.count == 0 || span.first >= there || span.count > there - span.first)
    throw Refusal(text, "is not in memory", fmt::format("a tile has {} elements", there));
  return span;
}

std::string print(const Target& target, TilePlace tile, const std::string& expression) {
  std::string text = expression;
  const bool hex = text.ends_with("/x");
  if (hex) text.resize(text.size() - 2);
  while (text.ends_with(' ')) text.pop_back();
  const TileState state = target.state(tile);
  const bool psum = text.starts_with("psum.");
  std::string_view name = text;
  if (psum || name.starts_with("main.")) name.remove_prefix(5);
  if (name.starts_with("r"))
    if (const auto r = number(name.substr(1)); r && *r < 16) {
      const std::uint16_t value = (psum ? state.psum : state.main).registers[*r];
      return fmt::format("{} = {} ({:#06x}, bf16 {})", text, value, value, decimal_bf16(value));
    }
  if (name.starts_with("csr ")) {
    for (std::size_t c = 0; c < state.main.control.size(); ++c)
      if (isa::kCsrNames[c] == name.substr(4))
        return fmt::format("{} = {}", text, (psum ? state.psum : state.main).control[c]);
    unknown(expression);
  }
  const auto lanes = static_cast<std::size_t>(target.plan().wafer.lanes);
  if (name.starts_with("R[") && name.ends_with("]")) {
    const auto entry = number(name.substr(2, name.size() - 3));
    if (!entry || *entry >= isa::kRDepth) unknown(expression);
    std::string values;
    for (std::size_t l = 0; l < lanes; ++l) {
      const std::uint32_t value = state.accumulators[*entry * lanes + l];
      values += hex ? fmt::format(" {:#010x}", value) : " " + decimal_fp32(value);
    }
    return text + " =" + values;
  }
  const Span span = find_span(target, tile, text);
  std::string values = fmt::format("{} = M[{:#x}:{}]", text, span.first, span.count);
  for (unsigned k = 0; k < span.count; ++k) {
    const std::uint16_t value = state.memory[span.first + k];
    values += (span.count > 16 && k % 16 == 0) ? "\n  " : " ";
    values += hex ? fmt::format("{:#06x}", value) : decimal_bf16(value);
  }
  return values;
}

std::string where(const Target& target, TilePlace tile) {
  std::string text = fmt::format("cycle {}, {}, tile {},{}\n", target.cycle(), target.phase_name(), tile.row, tile.col);
  return text + thread_line(target, tile, false) + thread_line(target, tile, true);
}

std::string list(const Target& target, TilePlace tile, bool psum) {
  const Program& program = target.plan().program;
  const ThreadView& v = psum ? target.view(tile).psum : target.view(tile).main;
  const unsigned pc = v.state == 0 && v.sequencer != 0 ? target.sequenced(tile, psum) : v.pc;
  const InstructionNames names(program);
  std::string text;
  for (unsigned at = pc < 5 ? 0 : pc - 5; at < std::min<std::size_t>(pc + 6, program.words.size()); ++at)
    text += fmt::format("{} {:4} {}\n", at == pc ? "->" : "  ", at, names.at(at));
  return text;
}

std::string info(const Target& target, TilePlace tile, const std::string& what) {
  const TileState state = target.state(tile);
  const int colors = target.plan().wafer.colors;
  std::string text;
  if (what == "registers") return fmt::format("main{}\npsum{}\n", registers(state.main), registers(state.psum));
  if (what == "flags") return words_of(WordsMode::Flags, fmt::format("{:x}", state.flags), {}, false) + "\n";
  if (what == "handoffs")
    return fmt::format("MP {} entries, PM {}\n", state.mp.entries.size(), state.pm.entries.size());
  if (what == "symbols") {
    for (const ArraySymbol& s : target.plan().arrays)
      text += fmt::format("{:#06x} {}[{}][{}]\n", s.address, s.name, s.slots, s.width);
    if (const Kernel* kernel = running_kernel(target, tile))
      for (const Parameter& p : kernel->parameters)
        text += fmt::format("{:#06x} {}, of the running {}\n", state.main.registers.at(static_cast<std::size_t>(p.reg)),
                            p.name, kernel->name);
    return text;
  }
  if (what == "routes") {
    for (int c = 0; c < colors; ++c) {
      for (std::size_t port = 0; port < state.routes.size(); ++port) {
        const unsigned outputs = state.routes[port][static_cast<std::size_t>(c)];
        if (outputs == 0) continue;
        text += fmt::format("{} from {} ->", color_word(static_cast<unsigned>(c)), isa::kPortNames[port]);
        for (std::size_t p = 0; p < std::size(isa::kPortNames); ++p)
          if (outputs >> p & 1) text += fmt::format(" {}", isa::kPortNames[p]);
        text += "\n";
      }
    }
    return text;
  }
  if (what != "credits" && what != "streams")
    throw Refusal("info " + what, "is not known",
                  "registers, routes, credits, streams, handoffs, flags, symbols or breaks");
  const Standstill all = target.standstill();
  const TileStandstill& s = all.tile(tile.row, tile.col);
  for (int c = 0; c < colors; ++c) {
    const auto color = static_cast<std::size_t>(c);
    std::string line = color_word(static_cast<unsigned>(c)) + ":";
    for (std::size_t port = 0; port < 5; ++port) {
      if (what == "streams" && color < s.buffers[port].size() && s.buffers[port][color] != 0)
        line += fmt::format(" {} wait from {}", s.buffers[port][color], isa::kPortNames[port]);
      if (what == "credits" && color < s.credits[port].size())
        line += fmt::format(" {} {}", isa::kPortNames[port], static_cast<int>(s.credits[port][color]));
    }
    if (what == "streams" && color < s.ramp.size() && s.ramp[color] != 0)
      line += fmt::format(" {} wait in the PE", s.ramp[color]);
    text += line + "\n";
  }
  return text;
}

}  // namespace weft::debug
