#include "sw/deadlock/threads.hpp"

#include "isa.hpp"

namespace weft::deadlock {

using isa::Opcode;

bool ended(const machine::TileHang& t, bool psum) {
  return psum ? !t.state.psum.runs && !t.psum.busy : !t.state.main.runs && !t.main.busy;
}

bool rests(const machine::TileHang& t) { return ended(t, false) && ended(t, true); }

isa::Instr instruction(const machine::TileHang& t, std::uint16_t pc) {
  return pc < t.state.instructions.size() ? isa::decode(t.state.instructions[pc]) : isa::Instr{};
}

namespace {

constexpr std::size_t kHandoffs = 2;  // entries of MP, of PM

void sequencer_of_main(const machine::TileHang& t, std::vector<Wait>& list) {
  const std::uint16_t pc = t.main.pc;
  const isa::Instr in = instruction(t, pc);
  const Opcode op = in.op;
  if (op == Opcode::Vdot && t.state.pm.entries.empty()) list.push_back({Lack::PmEntry, 0, pc});
  if (t.main.lacks_w) list.push_back({Lack::Weights, 0, pc});
  const bool puts = op == Opcode::Vcr || ((op == Opcode::Vdot || in.put) && !t.main.lacks_w);
  if (puts && t.state.mp.entries.size() >= kHandoffs) list.push_back({Lack::MpRoom, 0, pc});
}

void sequencer_of_psum(const machine::TileHang& t, std::vector<Wait>& list) {
  const std::uint16_t pc = t.psum.pc;
  const isa::Instr in = instruction(t, pc);
  const bool takes_mp = (in.op == Opcode::Vs && in.q) || in.op == Opcode::Vr;
  // A gather that passes on words of other tiles has already taken its own entry.
  const bool passes_on = in.op == Opcode::Vs && in.gather && t.psum.lacks_words;
  if (takes_mp && !passes_on && t.state.mp.entries.empty()) list.push_back({Lack::MpEntry, 0, pc});
  if (in.op == Opcode::Vb && t.state.pm.entries.size() >= kHandoffs) list.push_back({Lack::PmRoom, 0, pc});
  if (t.psum.lacks_words) list.push_back({Lack::Words, in.cin, pc});
  if (t.psum.lacks_room) list.push_back({Lack::Room, in.op == Opcode::Snd ? in.color : in.cout, pc});
  if (t.lacks_route) list.push_back({Lack::Route, in.op == Opcode::Snd ? in.color : in.cout, pc});
}

/// Adds the waits of a thread whose sequencer is done.
void core(const machine::TileHang& t, bool psum, std::vector<Wait>& list) {
  const std::uint16_t pc = psum ? t.state.psum.pc : t.state.main.pc;
  const isa::Instr in = instruction(t, pc);
  if (!psum && in.op == Opcode::Fork && t.state.psum.runs) return list.push_back({Lack::PsumIdle, 0, pc});
  if (!psum && in.op == Opcode::Join && !ended(t, true)) return list.push_back({Lack::PsumIdle, 0, pc});
  if (psum && in.op == Opcode::Rcv && in.color < t.ramp.size() && t.ramp[in.color] == 0)
    return list.push_back({Lack::Words, in.color, pc});
  if (psum && in.op == Opcode::Snd && t.lacks_route) return list.push_back({Lack::Route, in.color, pc});
}

}  // namespace

std::vector<Wait> waits(const machine::HangSnapshot& s, ThreadRef thread) {
  const machine::TileHang& t = s.tiles[static_cast<std::size_t>(thread.tile)];
  std::vector<Wait> list;
  if (ended(t, thread.psum)) {
    if (!thread.psum && rests(t)) list.push_back({Lack::Command, 0, 0});
    return list;
  }
  const machine::SequencerState& sequencer = thread.psum ? t.psum : t.main;
  const machine::ThreadState& state = thread.psum ? t.state.psum : t.state.main;
  if (sequencer.busy) (thread.psum ? sequencer_of_psum : sequencer_of_main)(t, list);
  // A fork waits for main's own sequencer, but not for psum's.
  if (!sequencer.busy && state.runs) core(t, thread.psum, list);
  if (list.empty()) list.push_back({Lack::Nothing, 0, sequencer.busy ? sequencer.pc : state.pc});
  return list;
}

}  // namespace weft::deadlock
