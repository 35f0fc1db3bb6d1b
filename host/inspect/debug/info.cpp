/// The `info` command: the state of a tile besides its threads.
#include <fmt/format.h>

#include "host/inspect/debug/own_names.hpp"
#include "host/inspect/debug/show.hpp"
#include "isa_machine.hpp"
#include "sw/base/refusal.hpp"
#include "verif/trace/filter.hpp"

namespace weft::inspect::debug {
namespace {

std::string color_of(const Names& names, std::size_t color) { return color_name(names, static_cast<unsigned>(color)); }

std::string registers(const char* name, const machine::ThreadState& thread) {
  std::string text = name;
  for (std::size_t r = 1; r < thread.registers.size(); ++r) text += fmt::format(" r{}={}", r, thread.registers[r]);
  return text + "\n";
}

std::string symbols(const Target& target, sim::TilePlace tile) {
  const Names names = target.names(tile);
  std::string text = names.own != nullptr ? own_symbols(*names.own) : "";
  for (const compiler::ArraySymbol& s : names.arrays)
    text += fmt::format("{:#06x} {}[{}][{}]\n", s.address, s.name, s.slots, s.width);
  if (const assembler::Kernel* kernel = running_kernel(target, tile)) {
    const machine::TileState state = target.state(tile);
    for (const assembler::Parameter& p : kernel->parameters)
      text += fmt::format("{:#06x} {}, of the running {}\n", state.main.registers.at(static_cast<std::size_t>(p.reg)),
                          p.name, kernel->name);
  }
  return text;
}

std::string routes(const machine::TileState& state, const Names& names) {
  std::string text;
  for (std::size_t c = 0; c < state.routes[0].size(); ++c) {
    for (std::size_t port = 0; port < state.routes.size(); ++port) {
      const unsigned outputs = c < state.routes[port].size() ? state.routes[port][c] : 0;
      if (outputs == 0) continue;
      text += fmt::format("{} from {} ->", color_of(names, c), isa::kPortNames[port]);
      for (std::size_t p = 0; p < std::size(isa::kPortNames); ++p)
        if (outputs >> p & 1) text += fmt::format(" {}", isa::kPortNames[p]);
      text += "\n";
    }
  }
  return text;
}

std::string credits(const machine::HangSnapshot& all, const machine::TileHang& s, const Names& of) {
  if (all.depth == 0 && all.machine == "model")
    throw Refusal("info credits", "links of the model have no bound, and so no credits",
                  "--wafer.depth 4 gives it the RTL's; info streams shows what waits");
  std::string text;
  for (std::size_t c = 0; c < static_cast<std::size_t>(all.shape.colors); ++c) {
    text += color_of(of, c) + ":";
    for (std::size_t port = 0; port < s.credits.size(); ++port)
      if (c < s.credits[port].size())
        text += fmt::format(" {} {}", isa::kPortNames[port], static_cast<int>(s.credits[port][c]));
    text += "\n";
  }
  return text;
}

std::string streams(const machine::HangSnapshot& all, const machine::TileHang& s, const Names& of) {
  trace::MessageNames names{.rows = all.shape.rows, .kernels = {}, .pairs = 0};
  for (const assembler::Kernel& kernel : of.program.kernels) names.kernels[kernel.address] = kernel.name;
  std::string text;
  for (std::size_t c = 0; c < static_cast<std::size_t>(all.shape.colors); ++c) {
    text += color_of(of, c) + ":";
    for (std::size_t port = 0; port < s.buffers.size(); ++port)
      if (c < s.buffers[port].size() && s.buffers[port][c] != 0)
        text += fmt::format(" {} wait from {}", s.buffers[port][c], isa::kPortNames[port]);
    if (c < s.ramp.size() && s.ramp[c] != 0) text += fmt::format(" {} wait in the PE", s.ramp[c]);
    if (c == 0 && !s.w.empty()) text += ", next " + trace::message_words(0, s.w[0].ctrl, s.w[0].data, names);
    text += "\n";
  }
  if (!s.out.empty())
    text += fmt::format("out queue: {} beats, the first of {}\n", s.out.size(), color_of(of, s.out[0]));
  return text;
}

}  // namespace

std::string info(const Target& target, sim::TilePlace tile, const std::string& what) {
  if (what == "symbols") return symbols(target, tile);
  if (what == "credits" || what == "streams") {
    const machine::HangSnapshot all = target.hang_snapshot();
    const machine::TileHang& s = all.tile(tile.row, tile.col);
    return what == "credits" ? credits(all, s, target.names(tile)) : streams(all, s, target.names(tile));
  }
  const machine::TileState state = target.state(tile);
  if (what == "registers") return registers("main", state.main) + registers("psum", state.psum);
  if (what == "flags")
    return trace::words_of(trace::WordsMode::Flags, fmt::format("{:x}", state.flags), {}, false) + "\n";
  if (what == "handoffs")
    return fmt::format("MP {} entries, PM {}\n", state.mp.entries.size(), state.pm.entries.size());
  if (what == "routes") return routes(state, target.names(tile));
  throw Refusal("info " + what, "is not known",
                "registers, routes, credits, streams, handoffs, flags, symbols or breaks");
}

}  // namespace weft::inspect::debug
