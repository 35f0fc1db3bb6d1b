/// The part of a hang snapshot that does not depend on timing.
#pragma once

#include <memory>
#include <sstream>
#include <string>

#include "tests/deadlock/fabric.hpp"
#include "verif/wafer.hpp"

namespace weft::deadlock {

/// Runs a fabric and returns the snapshot of its hang; null if it does not hang.
inline std::shared_ptr<const machine::HangSnapshot> run(Wafer& wafer, const Fabric& f) {
  try {
    wafer.feed(f.messages);
    wafer.settle();
  } catch (const WaferHang& hang) {
    return hang.hang_snapshot;
  }
  return nullptr;
}

/// The timing-independent part, as text.
inline std::string same_part(const machine::HangSnapshot& s) {
  std::ostringstream out;
  const auto list = [&](const char* name, const auto& numbers) {
    out << " " << name;
    for (const auto n : numbers) out << " " << +n;
  };
  for (std::size_t i = 0; i < s.tiles.size(); ++i) {
    const machine::TileHang& t = s.tiles[i];
    out << "tile " << i;
    for (const auto& [thread, sequencer] : {std::pair(t.state.main, t.main), std::pair(t.state.psum, t.psum)})
      out << " [" << thread.runs << " " << thread.pc << "; " << sequencer.busy << " " << sequencer.pc << " "
          << sequencer.lacks_w << sequencer.lacks_words << sequencer.lacks_room << "]";
    list("main", t.state.main.registers), list("psum", t.state.psum.registers);
    list("MP", t.state.mp.entries), list("PM", t.state.pm.entries), list("ramp", t.ramp), list("out", t.out);
    list("credits", t.out_credits);
    for (std::size_t port = 0; port < 5; ++port) list("buffers", t.buffers[port]), list("credits", t.credits[port]);
    out << "\n";
  }
  for (const machine::RowHang& r : s.rows) {
    out << "row " << r.delivered << " " << r.cell << " " << +r.served;
    list("credits", r.cell_credits);
    out << "\n";
  }
  for (const machine::ValveHang& v : s.valves) {
    out << "valve " << v.taken << " " << v.rest;
    list("credits", v.credits);
    out << "\n";
  }
  return out.str();
}

}  // namespace weft::deadlock
