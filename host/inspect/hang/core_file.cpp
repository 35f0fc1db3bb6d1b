#include "host/inspect/hang/core_file.hpp"

#include <fmt/format.h>

#include <ostream>

#include "host/checkpoint/file.hpp"
#include "isa.hpp"
#include "sw/deadlock/report.hpp"

namespace weft::inspect {

void write_core(const deadlock::Core& core, const std::filesystem::path& file) {
  checkpoint::AtomicFile out(file);
  out.write(deadlock::encode(core));
  out.commit();
}

deadlock::Core read_core(const std::string& file) { return deadlock::decode(checkpoint::read_file(file), file); }

namespace {

void show_thread(const char* name, const machine::ThreadState& thread, const machine::SequencerState& sequencer,
                 const machine::TileHang& tile, const assembler::Program& program, std::ostream& out) {
  out << name << ": " << (thread.runs ? "at " + deadlock::where(tile, thread.pc, &program) : "has halted") << "\n";
  if (sequencer.busy) out << "  its sequencer at " << deadlock::where(tile, sequencer.pc, &program) << "\n";
  out << "  r  ";
  for (const std::uint16_t r : thread.registers) out << fmt::format(" {:04x}", r);
  out << "\n  csr";
  for (std::size_t c = 0; c < thread.control.size(); ++c)
    if (thread.control[c]) out << fmt::format(" {} {}", isa::kCsrNames[c], thread.control[c]);
  out << "\n";
}

}  // namespace

void show_tile(const std::string& file, int row, int col, std::ostream& out) {
  const deadlock::Core core = read_core(file);
  const machine::WaferShape& shape = core.hang_snapshot.shape;
  if (row < 0 || row >= shape.rows || col < 0 || col >= shape.cols)
    throw Refusal(file, fmt::format("has no tile ({},{})", row, col),
                  fmt::format("rows are 0 to {}, columns 0 to {}", shape.rows - 1, shape.cols - 1));
  const machine::TileHang& t = core.hang_snapshot.tile(row, col);
  out << fmt::format("tile ({},{})\n", row, col);
  show_thread("main", t.state.main, t.main, t, core.program, out);
  show_thread("psum", t.state.psum, t.psum, t, core.program, out);
  out << fmt::format("MP {}, PM {} entries; out queue {}\n", t.state.mp.entries.size(), t.state.pm.entries.size(),
                     t.out.size());
  for (std::size_t color = 0; color < t.ramp.size(); ++color) {
    if (!t.ramp[color]) continue;
    out << fmt::format("{} on {}\n", t.ramp[color], deadlock::color_name(static_cast<int>(color)));
  }
  for (std::size_t port = 0; port < t.buffers.size(); ++port)
    for (std::size_t color = 0; color < t.buffers[port].size(); ++color)
      if (t.buffers[port][color])
        out << fmt::format("{} in the router from {} on {}\n", t.buffers[port][color], isa::kPortNames[port],
                           deadlock::color_name(static_cast<int>(color)));
  for (const std::string& part : {std::string("flags"), std::string("beats")})
    for (const machine::StatePart& p : machine::parts(t.state))
      if (p.name == part && p.numbers[0]) out << fmt::format("{} {:#x}\n", part, p.numbers[0]);
}

}  // namespace weft::inspect
