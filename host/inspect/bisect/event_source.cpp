#include "host/inspect/bisect/event_source.hpp"

#include <string>
#include <string_view>

#include "isa.hpp"
#include "sw/asm/assembler.hpp"
#include "verif/trace/words.hpp"

namespace weft::inspect::bisect {
namespace {

constexpr unsigned kVector = 8;               // StVector of rtl/pe/weft_pe_scalar_pkg.sv
constexpr std::uint64_t kWrite = 7;           // cycles from issue to write (rtl/pe/weft_pe_vector.sv)
constexpr std::uint64_t kTable = kWrite + 4;  // cycles from issue to write of a table function

/// True for vf with a function that pe_table computes; fn is the first three bits after the op.
bool is_table(std::uint32_t word) {
  if (static_cast<isa::Opcode>(word >> 26) != isa::Opcode::Vf) return false;
  for (const isa::Field& f : isa::info(isa::Opcode::Vf)->fields)
    if (std::string_view(f.name) == "fn")
      return (word >> f.lsb & ((1u << (f.msb - f.lsb + 1)) - 1)) >= static_cast<unsigned>(isa::Fn::Exp);
  return false;
}

}  // namespace

EventSource::EventSource(const assembler::Program& program) : program_(program) {
  for (const std::uint32_t word : program.words) {
    unsigned colors = 0;
    const std::string text = assembler::disassemble(word);
    for (unsigned c = 0; c < isa::kWaferColors; ++c)
      if (text.find("out=" + trace::color_word(c)) != std::string::npos) colors |= 1u << c;
    sends_.push_back(colors);
  }
}

std::optional<Cause> EventSource::sender(unsigned color) const {
  const auto at = senders_.find(color);
  return at == senders_.end() ? std::nullopt : std::optional(at->second);
}

void EventSource::follow(Thread& t, const sim::ThreadView& view) {
  if (t.state == kVector && view.state != kVector) {
    t.sequenced.pc = t.pc;
    ++t.sequenced.execution;
  }
  t.state = view.state;
  t.pc = view.pc;
}

void EventSource::ramp(std::uint64_t cycle, const sim::PortView& port) {
  const auto message = [&](TileEvent::Kind kind, bool valid, std::uint64_t word) {
    if (!valid) return;
    const auto color = static_cast<unsigned>(word >> 32 & 31);
    event({.kind = kind,
           .index = color,
           .value = static_cast<std::uint32_t>(word),
           .ctrl = (word >> 37 & 1) != 0,
           .cycle = cycle,
           .cause = kind == TileEvent::Kind::Sends ? sender(color) : std::nullopt});
  };
  message(TileEvent::Kind::Takes, port.out_valid, port.out);
  message(TileEvent::Kind::Sends, port.in_valid, port.in);
}

std::optional<Cause> EventSource::writer(std::uint64_t cycle) const {
  for (const Beat& b : beats_) {
    const bool table = b.cause.pc < program_.words.size() && is_table(program_.words[b.cause.pc]);
    if (b.cycle + (table ? kTable : kWrite) == cycle) return b.cause;
  }
  return std::nullopt;  // commands write only while no beat is in flight
}

void EventSource::observe(std::uint64_t cycle, std::size_t /*n*/, const sim::TileView& view) {
  const sim::ThreadView* views[] = {&view.main, &view.psum};
  while (!beats_.empty() && beats_.front().cycle + kTable < cycle) beats_.pop_front();
  for (int t = 0; t < 2; ++t) {
    threads_[t].sequenced.thread = t;
    follow(threads_[t], *views[t]);
    if (!views[t]->issues) continue;
    const Cause& cause = threads_[t].sequenced;
    beats_.push_back({cycle, cause});
    for (unsigned c = 0; c < isa::kWaferColors; ++c)
      if (cause.pc < sends_.size() && sends_[cause.pc] >> c & 1) senders_[c] = cause;
  }
  ramp(cycle, view.ports[static_cast<std::size_t>(isa::Port::Ramp)]);
  for (unsigned l = 0; l < sim::kMostLanes; ++l)
    if (view.r_lanes >> l & 1)
      event({.kind = TileEvent::Kind::Accumulator,
             .index = view.r_entry,
             .lane = l,
             .value = view.r_value[l],
             .cycle = cycle,
             .cause = writer(cycle)});
  for (unsigned l = 0; l < sim::kMostLanes; ++l)
    if (view.m_lanes >> l & 1)
      event({.kind = TileEvent::Kind::Memory,
             .index = view.m_element + l,
             .value = view.m_value[l],
             .cycle = cycle,
             .cause = writer(cycle)});
}

}  // namespace weft::inspect::bisect
