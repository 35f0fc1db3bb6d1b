#include "host/inspect/debug/waits.hpp"

#include "sw/deadlock/threads.hpp"
#include "verif/trace/words.hpp"

namespace weft::debug {
namespace {

std::string text(const hang::Wait& wait) {
  const std::string color = color_word(static_cast<unsigned>(wait.color));
  switch (wait.lack) {
    case hang::Lack::Weights:
      return "W";
    case hang::Lack::Command:
    case hang::Lack::Nothing:
      return "";
    case hang::Lack::Words:
      return color;
    case hang::Lack::Room:
      return "room to send " + color;
    case hang::Lack::Route:
      return "a route for " + color;
    case hang::Lack::MpEntry:
      return "an entry of MP";
    case hang::Lack::MpRoom:
      return "room in MP";
    case hang::Lack::PmEntry:
      return "an entry of PM";
    case hang::Lack::PmRoom:
      return "room in PM";
    case hang::Lack::PsumIdle:
      return "psum to be idle";
  }
  return "";
}

}  // namespace

ThreadPlace thread_place(const HangSnapshot& s, TilePlace tile, bool psum) {
  const TileHang& t = s.tile(tile.row, tile.col);
  const ThreadState& thread = psum ? t.state.psum : t.state.main;
  const SequencerState& sequencer = psum ? t.psum : t.main;
  ThreadPlace place{.runs = thread.runs, .pc = thread.pc, .busy = sequencer.busy, .sequenced = sequencer.pc, .why = ""};
  if (t.awake) return place;  // an awake tile has not recorded what it lacks
  for (const hang::Wait& wait : hang::waits(s, {tile.row * s.shape.cols + tile.col, psum})) {
    const std::string what = text(wait);
    // In a model that is still moving, messages may be present that main has not examined yet.
    if (what.empty() || (wait.lack == hang::Lack::Weights && !t.ramp.empty() && t.ramp[0] > 0)) continue;
    place.why += (place.why.empty() ? "waits for " : ", ") + what;
  }
  return place;
}

}  // namespace weft::debug
