#include "host/inspect/debug/waits.hpp"

#include "sw/deadlock/threads.hpp"
#include "verif/trace/words.hpp"

namespace weft::inspect::debug {
namespace {

std::string text(const deadlock::Wait& wait) {
  const std::string color = trace::color_word(static_cast<unsigned>(wait.color));
  switch (wait.lack) {
    case deadlock::Lack::Weights:
      return "W";
    case deadlock::Lack::Command:
    case deadlock::Lack::Nothing:
      return "";
    case deadlock::Lack::Words:
      return color;
    case deadlock::Lack::Room:
      return "room to send " + color;
    case deadlock::Lack::Route:
      return "a route for " + color;
    case deadlock::Lack::MpEntry:
      return "an entry of MP";
    case deadlock::Lack::MpRoom:
      return "room in MP";
    case deadlock::Lack::PmEntry:
      return "an entry of PM";
    case deadlock::Lack::PmRoom:
      return "room in PM";
    case deadlock::Lack::PsumIdle:
      return "psum to be idle";
  }
  return "";
}

}  // namespace

ThreadPlace thread_place(const machine::HangSnapshot& s, sim::TilePlace tile, bool psum) {
  const machine::TileHang& t = s.tile(tile.row, tile.col);
  const machine::ThreadState& thread = psum ? t.state.psum : t.state.main;
  const machine::SequencerState& sequencer = psum ? t.psum : t.main;
  ThreadPlace place{.runs = thread.runs, .pc = thread.pc, .busy = sequencer.busy, .sequenced = sequencer.pc, .why = ""};
  if (t.awake) return place;  // an awake tile has not recorded what it lacks
  for (const deadlock::Wait& wait : deadlock::waits(s, {tile.row * s.shape.cols + tile.col, psum})) {
    const std::string what = text(wait);
    // In a model that is still moving, messages may be present that main has not examined yet.
    if (what.empty() || (wait.lack == deadlock::Lack::Weights && !t.ramp.empty() && t.ramp[0] > 0)) continue;
    place.why += (place.why.empty() ? "waits for " : ", ") + what;
  }
  return place;
}

}  // namespace weft::inspect::debug
