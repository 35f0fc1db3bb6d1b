/// Scheduler: the final state of a run, in the form that sw/deadlock reads.
#include <algorithm>

#include "sw/deadlock/scheduler.hpp"

namespace weft::deadlock {

using Kind = Event::Kind;

Outcome Scheduler::outcome() {
  Outcome o;
  o.done = true;
  for (const TileProgress& s : tiles_) o.done &= s.main == s.trace->main.size() && s.psum == s.trace->psum.size();
  for (std::size_t v = 0; v < next_.size(); ++v) o.done &= next_[v] == n_.valves[v].size();
  if (!o.done) {
    o.hang_snapshot = hang_snapshot();
    return o;
  }
  const auto left = [&](int t, std::uint32_t n, const std::string& what) {
    if (n)
      o.left.push_back("tile (" + std::to_string(n_.row(t)) + "," + std::to_string(t % n_.shape.cols) +
                       "): " + std::to_string(n) + " " + what);
  };
  for (int t = 0; t < n_.tiles(); ++t) {
    for (int c = 1; c < colors_; ++c) {
      std::uint32_t words = ramp(t, c);
      for (int p = 0; p < 5; ++p) words += queues_[queue(t, p, c)];
      left(t, words,
           "words on " +
               (static_cast<std::size_t>(c) < std::size(isa::kColorNames)
                    ? std::string(isa::kColorNames[static_cast<std::size_t>(c)])
                    : "color " + std::to_string(c)) +
               " that no thread takes");
    }
    for (int c = 0; c < out_queues(); ++c) left(t, out(t, c).size(), "entries of its out queue that no thread takes");
    left(t, tile(t).w, "messages of W that no thread takes");
  }
  return o;
}

void Scheduler::show_threads(int t, machine::TileHang& s) {
  TileProgress& from = tile(t);
  for (unsigned i = 0; i < from.mp.size(); ++i)
    s.state.mp.entries.push_back(static_cast<std::uint8_t>(from.mp[i].last << 5 | from.mp[i].count));
  s.state.pm.entries.assign(from.pm, 0);
  if (from.main < from.trace->main.size()) {
    const Event& e = from.trace->main[from.main];
    if (e.kind == Kind::Fork || e.kind == Kind::Join) {
      s.state.main.runs = true, s.state.main.pc = e.pc;
    } else if (e.kind != Kind::Command) {
      s.state.main.runs = s.main.busy = true;
      s.state.main.pc = s.main.pc = e.pc;
      const std::uint32_t left = e.n - 1 - from.main_done;
      s.main.lacks_w = e.kind == Kind::Axpy ||
                       (e.kind == Kind::Dot && from.lists < from.main_done + std::min<std::uint32_t>(left, e.full) + 1);
    }
  }
  if (from.ended >= from.forks || from.psum >= from.trace->psum.size()) return;
  const Event& e = from.trace->psum[from.psum];
  s.state.psum.runs = true;
  s.state.psum.pc = e.pc;
  if (e.kind == Kind::Take) return;
  s.psum.busy = true;
  s.psum.pc = e.pc;
  const bool entry = e.kind != Kind::Reduce || !from.mp.empty();
  s.psum.lacks_words = n_.takes(t, e) > 0 && entry && ramp(t, e.cin) == 0;
  s.psum.lacks_room = e.sends && out(t, e.cout).size() == kOutSize && !s.psum.lacks_words;
}

machine::HangSnapshot Scheduler::hang_snapshot() {
  machine::HangSnapshot s;
  s.shape = n_.shape;
  s.machine = "check";
  s.why = "no order ends";
  s.depth = n_.depth;
  const auto free = [&](std::uint32_t used) { return static_cast<std::uint8_t>(depth_ - std::min(depth_, used)); };
  for (int t = 0; t < n_.tiles(); ++t) {
    machine::TileHang x;
    x.state.instructions = *n_.programs[static_cast<std::size_t>(t)];
    for (std::size_t p = 0; p < 5; ++p)
      for (int c = 0; c < colors_; ++c)
        x.state.routes[p].push_back(static_cast<std::uint8_t>(n_.outputs(t, static_cast<int>(p), c)));
    show_threads(t, x);
    for (int c = 0; c < colors_; ++c) {
      x.ramp.push_back(c == 0 ? tile(t).w : ramp(t, c));
      for (std::size_t p = 0; p < 5; ++p) x.buffers[p].push_back(queues_[queue(t, static_cast<int>(p), c)]);
      x.out_credits.push_back(free(x.buffers[4].back()));
      for (int out = 0; out < 4; ++out) {
        const int to = n_.neighbour(t, out);
        x.credits[static_cast<std::size_t>(out)].push_back(free(to < 0 ? 0 : queues_[queue(to, out ^ 2, c)]));
      }
      x.credits[4].push_back(free(x.ramp.back()));
    }
    for (int c = 0; c < out_queues(); ++c)
      for (unsigned i = 0; i < out(t, c).size(); ++i) x.out.push_back(out(t, c)[i].color);
    s.tiles.push_back(std::move(x));
  }
  for (int r = 0; r < n_.shape.rows; ++r) {
    machine::RowHang x;
    const auto row = static_cast<std::size_t>(r);
    x.delivered = delivered_[row];
    x.outlet.assign(static_cast<std::size_t>(colors_), 0);
    x.cell = static_cast<std::uint32_t>(cells_[row].size());
    x.served = served_[row];
    const bool last = r + 1 == n_.first_row(n_.valve_of(r) + 1);
    x.cell_credits = {free(queues_[queue(r * n_.shape.cols, kWestPort, 0)]),
                      free(last ? 0 : static_cast<std::uint32_t>(cells_[row + 1].size()))};
    s.rows.push_back(std::move(x));
  }
  for (int v = 0; v < n_.shape.valves; ++v) {
    const auto at = static_cast<std::size_t>(v);
    s.valves.push_back({next_[at],
                        n_.valves[at].size() - next_[at],
                        {},
                        {free(static_cast<std::uint32_t>(cells_[static_cast<std::size_t>(n_.first_row(v))].size()))}});
  }
  return s;
}

}  // namespace weft::deadlock
