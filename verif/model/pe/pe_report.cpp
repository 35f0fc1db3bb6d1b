/// State of a PE as text and as data.
#include <string_view>

#include "sw/machine/gather.hpp"
#include "verif/model/instructions/instructions.hpp"
#include "verif/model/pe/pe.hpp"

namespace weft::model {

std::string Pe::describe(const Thread& t, const char* rests) const {
  std::string text;
  if (t.running)
    text = "at " + machine.where(t.pc) + " waits for " + t.waits;
  else
    text = t.op.busy ? "has halted" : rests;
  if (t.op.busy) text += ", its sequencer at " + machine.where(t.op.pc) + " waits for " + t.op.waits;
  return text;
}

std::string Pe::describe() const {
  std::string text = "main " + describe(machine.main, "rests") + "; psum " + describe(machine.psum, "is idle");
  text += "; MP " + std::to_string(machine.mp.size()) + ", PM " + std::to_string(machine.pm.size()) + " entries";
  for (int color = 1; color < machine.place.shape.colors; ++color) {
    const Stream* stream = machine.ports.in(color);
    if (!stream || !stream->words()) continue;
    text += ", " + std::to_string(stream->words()) + " words on ";
    text += static_cast<std::size_t>(color) < std::size(isa::kColorNames) ? std::string(isa::kColorNames[color])
                                                                          : "color " + std::to_string(color);
  }
  if (machine.w.control())
    text += ", next on W: a command";
  else if (!machine.w.empty())
    text += ", next on W: a weight";
  return text;
}

std::vector<std::uint16_t> Pe::sram(int col) const {
  const Place& place = machine.place;
  const int lanes = place.shape.lanes, skip = (col - place.columns.first) * lanes;
  std::vector<std::uint16_t> elements;
  elements.reserve(static_cast<std::size_t>(place.shape.sram_elements()));
  for (int address = 0; address < place.shape.sram_elements(); address += lanes) {
    const std::uint16_t* word = machine.sram.at(static_cast<std::uint16_t>(address)) + skip;
    elements.insert(elements.end(), word, word + lanes);
  }
  return elements;
}

namespace {

machine::ThreadState state_of(const Thread& t) {
  machine::ThreadState s;
  s.runs = t.running;
  s.pc = t.running ? t.pc & InstructionMemory::kMask : 0;
  s.registers = t.r;
  std::copy_n(t.csr.begin(), s.control.size(), s.control.begin());
  return s;
}

}  // namespace

machine::TileState Pe::state(int col) const {
  const Place& place = machine.place;
  const int lanes = place.shape.lanes, skip = (col - place.columns.first) * lanes;
  machine::TileState s;
  s.memory = sram(col);
  for (int entry = 0; entry < machine::WaferShape::kRDepth; ++entry)
    for (int l = 0; l < lanes; ++l) s.accumulators.push_back(machine.accumulators.visible(entry, skip + l));
  s.instructions = machine.program.words();
  Thread main = machine.main;
  machine.per_column.copy_to(col - place.columns.first, main.r, main.csr);
  s.main = state_of(main);
  s.psum = state_of(machine.psum);
  s.mp = machine.mp.state();
  s.pm = machine.pm.state();
  s.selected = commands.selected(col);
  s.instruction_address = static_cast<std::uint16_t>(commands.instruction_address());
  s.low_half = commands.low_half();
  s.memory_address = commands.memory_address(col);
  const Routes routes = machine.ports.routes_of(col);
  for (int port = 0; port < kPorts; ++port)
    for (int color = 0; color < place.shape.colors; ++color)
      s.routes[static_cast<std::size_t>(port)].push_back(routes.at(port, color));
  s.flags = machine.flags.bits;
  s.beats = machine.work.beats_of(place.shape.cols - 1 - col);
  s.fma_lanes = machine.work.fma_lanes;
  return s;
}

namespace {

/// Checks that the next group is incomplete: it lacks some of its `full` indices and the message after them, or its CR.
bool lacks_group(const Inbox& w, std::size_t full) {
  const std::size_t n = w.run().size();
  return n <= full && !w.control_after(n);
}

/// Words of its color that psum's instruction takes at once; 0 if it takes none now.
int words_at_once(const Machine& m, const VectorOp& op) {
  const isa::Instr& in = op.in;
  if (in.op == isa::Opcode::Vs) return in.in || (in.gather && op.started) ? 2 : 0;
  if (in.op == isa::Opcode::Vb) return in.in ? m.place.shape.lanes / 2 : 0;
  if (in.op == isa::Opcode::Vr) return m.place.last_column() ? 0 : reduced_at_once(m, op);
  return 0;
}

}  // namespace

machine::TileHang Pe::hang_snapshot(int col) const {
  constexpr std::size_t kShown = 4;
  const Machine& m = machine;
  machine::TileHang s;
  s.state = state(col);
  const VectorOp& main = m.main.op;
  s.main.busy = main.busy;
  if (main.busy) {
    s.main.pc = main.pc & InstructionMemory::kMask;
    s.main.lacks_w =
        (main.in.op == isa::Opcode::Vaxs && !main.started) ||
        (main.in.op == isa::Opcode::Vdot && lacks_group(m.w, static_cast<std::size_t>(machine::full_group(main.rc))));
  }
  const VectorOp& psum = m.psum.op;
  s.psum.busy = psum.busy;
  if (psum.busy) {
    s.psum.pc = psum.pc & InstructionMemory::kMask;
    const int need = words_at_once(m, psum);
    const Stream* from = need ? m.ports.in(psum.in.cin) : nullptr;
    s.psum.lacks_words = from && from->words() < static_cast<std::size_t>(need);
  }
  const auto misses_route = [](const Waiting& w) { return std::string_view(w.waits) == Waiting::kRoute; };
  s.psum.lacks_room = psum.busy && std::string_view(psum.waits) == Waiting::kRoom;
  s.lacks_route = (psum.busy && misses_route(psum)) || (m.psum.running && misses_route(m.psum));
  s.ramp.push_back(static_cast<std::uint32_t>(m.w.size()));
  for (int color = 1; color < m.place.shape.colors; ++color) {
    const Stream* stream = m.ports.in(color);
    s.ramp.push_back(stream ? static_cast<std::uint32_t>(stream->words()) : 0);
  }
  s.w = m.w.first(kShown);
  return s;
}

}  // namespace weft::model
