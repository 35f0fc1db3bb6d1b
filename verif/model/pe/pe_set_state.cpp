/// Restores a tile from its state.
#include <cstring>

#include "verif/model/pe/pe.hpp"

namespace weft::model {

void Pe::set_state(const machine::TileState& state) {
  Machine& m = machine;
  const int lanes = m.place.shape.lanes;
  for (int address = 0; address < m.place.shape.sram_elements(); address += lanes)
    std::copy_n(state.memory.begin() + address, lanes, m.sram.at(static_cast<std::uint16_t>(address)));
  for (int entry = 0; entry < machine::WaferShape::kRDepth; ++entry) {
    const auto* words = reinterpret_cast<const float*>(state.accumulators.data()) + entry * lanes;
    m.accumulators.moves(words, lanes);
    std::memcpy(m.accumulators.at(entry), words, static_cast<std::size_t>(lanes) * sizeof *words);
  }
  for (std::size_t i = 0; i < state.instructions.size(); ++i)
    if (m.program.words()[i] != state.instructions[i]) m.program.set(static_cast<int>(i), state.instructions[i]);
  const auto thread = [](Thread& t, const machine::ThreadState& from) {
    t.r = from.registers;
    std::ranges::copy(from.control, t.csr.begin());
  };
  thread(m.main, state.main);
  thread(m.psum, state.psum);
  m.mp.set(state.mp);
  m.pm.set(state.pm);
  m.flags.bits = state.flags;
  m.work.beats = state.beats;
  m.work.fma_lanes = state.fma_lanes;
  commands.set_state(state);
}

}  // namespace weft::model
