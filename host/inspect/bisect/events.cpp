#include "host/inspect/bisect/events.hpp"

#include <fmt/format.h>

#include "isa.hpp"

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

Events::Events(const assembler::Program& program, int rows) : names_(program), words_{.rows = rows, .kernels = {}} {
  for (const assembler::Kernel& kernel : program.kernels) words_.kernels[kernel.address] = kernel.name;
  for (const std::uint32_t word : program.words) {
    unsigned colors = 0;
    const std::string text = assembler::disassemble(word);
    for (unsigned c = 0; c < isa::kWaferColors; ++c)
      if (text.find("out=" + trace::color_word(c)) != std::string::npos) colors |= 1u << c;
    sends_.push_back(colors);
  }
}

std::string Events::instruction(const Beat& b) const {
  return fmt::format("{} {}: {}", b.thread == 0 ? "main" : "psum", b.pc, names_.at(b.pc));
}

std::string Events::sender(unsigned color) const {
  const auto at = senders_.find(color);
  return at == senders_.end() ? "" : instruction(at->second);
}

void Events::follow(Thread& t, const sim::ThreadView& view) {
  if (t.state == kVector && view.state != kVector) t.sequenced = t.pc;
  t.state = view.state;
  t.pc = view.pc;
}

void Events::ramp(const sim::PortView& port) {
  const auto message = [&](const char* what, bool valid, std::uint64_t word, bool sent) {
    if (!valid) return;
    const auto color = static_cast<unsigned>(word >> 32 & 31);
    const bool ctrl = (word >> 37 & 1) != 0;
    const auto data = static_cast<std::uint32_t>(word);
    events_.push_back({fmt::format("{} {}", what, trace::color_word(color)),
                       fmt::format("{:08x} {}", data, trace::message_words(color, ctrl, data, words_)),
                       sent ? sender(color) : ""});
  };
  message("takes", port.out_valid, port.out, false);
  message("sends", port.in_valid, port.in, true);
}

std::string Events::writer(std::uint64_t cycle) const {
  for (const Beat& b : beats_) {
    const bool table = b.pc < names_.program.words.size() && is_table(names_.program.words[b.pc]);
    if (b.cycle + (table ? kTable : kWrite) == cycle) return instruction(b);
  }
  return "command";  // commands write only while no beat is in flight
}

void Events::observe(std::uint64_t cycle, std::size_t /*n*/, const sim::TileView& view) {
  const sim::ThreadView* views[] = {&view.main, &view.psum};
  while (!beats_.empty() && beats_.front().cycle + kTable < cycle) beats_.pop_front();
  for (int t = 0; t < 2; ++t) {
    follow(threads_[t], *views[t]);
    if (!views[t]->issues) continue;
    beats_.push_back({cycle, t, threads_[t].sequenced});
    for (unsigned c = 0; c < isa::kWaferColors; ++c)
      if (threads_[t].sequenced < sends_.size() && sends_[threads_[t].sequenced] >> c & 1) senders_[c] = beats_.back();
  }
  ramp(view.ports[static_cast<std::size_t>(isa::Port::Ramp)]);
  for (unsigned l = 0; l < sim::kMostLanes; ++l) {
    if (view.r_lanes >> l & 1)
      events_.push_back({fmt::format("R[{}] lane {}", view.r_entry, l),
                         fmt::format("{:08x} {}", view.r_value[l], trace::decimal_fp32(view.r_value[l])),
                         writer(cycle)});
  }
  for (unsigned l = 0; l < sim::kMostLanes; ++l) {
    if (view.m_lanes >> l & 1)
      events_.push_back({fmt::format("M[{:#x}]", view.m_element + l),
                         fmt::format("{:04x} {}", view.m_value[l], trace::decimal_bf16(view.m_value[l])),
                         writer(cycle)});
  }
}

}  // namespace weft::inspect::bisect
