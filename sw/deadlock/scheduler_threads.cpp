/// Scheduler: steps of threads and out queues.
#include <algorithm>

#include "sw/deadlock/scheduler.hpp"
#include "sw/machine/gather.hpp"

namespace weft::deadlock {

using Kind = Event::Kind;

void Scheduler::run_tile(int t) {
  for (bool moved = true; moved;) {
    moved = run_main(t);
    moved |= run_psum(t);
    for (int color = 0; color < out_queues(); ++color) moved |= run_out(t, color);
  }
}

/// Takes up to `most` messages of W; returns their number.
std::uint32_t Scheduler::take_w(int t, std::uint32_t most) {
  const std::uint32_t n = std::min(tile(t).w, most);
  if (n == 0) return 0;
  tile(t).w -= n;
  taken(t, 0);
  return n;
}

/// Lists the queues that may use new room in a PE's buffer.
void Scheduler::taken(int t, int color) {
  for (int p = 0; p < 5; ++p)
    if (queues_[queue(t, p, color)]) list_queue(t, p, color);
}

bool Scheduler::run_main(int t) {
  TileProgress& s = tile(t);
  std::uint32_t steps = 0;
  bool any = false;
  for (bool moved = true; moved && s.main < s.trace->main.size();) {
    const Event& e = s.trace->main[s.main];
    moved = false;
    switch (e.kind) {
      case Kind::Command:
        if (s.ended < s.forks) break;
        [[fallthrough]];
      case Kind::Axpy: {
        const std::uint32_t n = take_w(t, e.n - s.main_done);
        steps += n, s.main_done += n;
        moved = n > 0;
        if (s.main_done < e.n) break;
        if (e.kind == Kind::Command) s.mp = {}, s.pm = 0;  // as CALL does; not observable at rest
        ++s.main, s.main_done = 0;
        break;
      }
      case Kind::Copy:
        if (s.mp.size() == kHandoffs) break;
        s.mp.push({true, 0});
        ++steps, ++s.main, moved = true;
        break;
      case Kind::Dot:
        did(agents_.main(t), steps);
        steps = 0;
        moved = run_dot(t, e);
        break;
      case Kind::Fork:
        if (s.halted < s.forks) break;
        ++s.forks, ++steps, ++s.main, moved = true;
        break;
      default:  // Join
        if (s.ended < s.forks) break;
        ++steps, ++s.main, moved = true;
    }
    any |= moved;
  }
  did(agents_.main(t), steps);
  return any;
}

bool Scheduler::run_dot(int t, const Event& e) {
  TileProgress& s = tile(t);
  const auto most = static_cast<std::uint32_t>(machine::gathered_most(e.full));
  const std::uint32_t n = take_w(t, std::min(e.n - s.lists, most - (s.lists - s.main_done)));
  s.lists += n;
  did(agents_.gather(t), n);
  const std::uint32_t left = e.n - 1 - s.main_done, count = std::min<std::uint32_t>(left, e.full);
  const bool last = left <= e.full;
  const std::uint32_t needs = s.main_done + count + 1;  // including the message that closes the group
  if (s.lists < needs || !s.pm || s.mp.size() == kHandoffs) return n > 0;
  s.mp.push({last, static_cast<std::uint8_t>(count)});
  s.main_done += count;
  did(agents_.main(t), 1);
  if (!last) return true;
  --s.pm;
  ++s.main, s.main_done = s.lists = 0;
  return true;
}

bool Scheduler::run_psum(int t) {
  TileProgress& s = tile(t);
  std::uint32_t steps = 0;
  bool any = false;
  for (bool moved = true; moved && s.ended < s.forks;) {
    const Event& e = s.trace->psum[s.psum];
    moved = false;
    if (e.kind == Kind::Halted || e.kind == Kind::End) {
      ++(e.kind == Kind::Halted ? s.halted : s.ended);
      ++steps, ++s.psum, moved = true;
    } else if (e.kind == Kind::Reduce) {
      did(agents_.psum(t), steps);
      steps = 0;
      moved = run_reduce(t, e);
    } else {
      const std::uint32_t times = n_.times(t, e), takes = n_.takes(t, e);
      if (times == 0) {
        ++s.psum, moved = true;
        any = true;
        continue;
      }
      while (s.held + 1 < takes && ramp(t, e.cin)) --ramp(t, e.cin), ++s.held, ++steps, moved = true;
      const bool ready = (takes == 0 || (s.held + 1 == takes && ramp(t, e.cin))) && (!e.q || !s.mp.empty()) &&
                         (!e.pm || s.pm < kHandoffs) && (!e.sends || out(t, e.cout).size() < kOutSize);
      if (ready) {
        if (takes) --ramp(t, e.cin);
        s.held = 0;
        if (e.sends) out(t, e.cout).push({e.cout, e.sends});
        ++steps, moved = true;
        if (++s.psum_done == times) {
          if (e.q) s.mp.pop();
          if (e.pm) ++s.pm;
          ++s.psum, s.psum_done = 0;
        }
      }
      if (moved && takes) taken(t, e.cin);
    }
    any |= moved;
  }
  did(agents_.psum(t), steps);
  return any;
}

bool Scheduler::run_reduce(int t, const Event& e) {
  TileProgress& s = tile(t);
  if (s.mp.empty()) return false;
  const MpEntry entry = s.mp.front();
  const std::uint32_t takes = n_.takes(t, e);
  std::uint32_t steps = 0;
  while (s.psum_done < entry.count) {
    const std::uint32_t words = std::min<std::uint32_t>(e.sends, entry.count - s.psum_done);  // words of a beat
    while (takes && s.held + 1 < words && ramp(t, e.cin)) --ramp(t, e.cin), ++s.held, ++steps;
    if (out(t, e.cout).size() == kOutSize || (takes && (s.held + 1 < words || !ramp(t, e.cin)))) break;
    if (takes) --ramp(t, e.cin);
    s.held = 0;
    out(t, e.cout).push({e.cout, static_cast<std::uint8_t>(words)});
    s.psum_done += words, ++steps;
  }
  if (steps && takes) taken(t, e.cin);
  const bool through = s.psum_done == entry.count;
  if (through) {
    if (entry.count == 0) ++steps;  // an empty entry is a step, too
    s.mp.pop();
    s.psum_done = 0;
    if (entry.last) ++s.psum;
  }
  did(agents_.psum(t), steps);
  return steps > 0;
}

bool Scheduler::run_out(int t, int color) {
  OutQueue& sent = out(t, color);
  std::uint32_t steps = 0;
  while (!sent.empty()) {
    OutEntry& entry = sent.front();
    std::uint32_t& into = queues_[queue(t, kRamp, entry.color)];
    if (into >= depth_) break;
    ++into, ++steps;
    list_queue(t, kRamp, entry.color);
    if (--entry.words == 0) sent.pop();
  }
  did(agents_.out(t, color), steps);
  return steps > 0;
}

}  // namespace weft::deadlock
