/// Certificate checker: steps of threads, of vdot's lists and of out queues.
#include "sw/deadlock/certificate_checker.hpp"
#include "sw/machine/gather.hpp"

namespace weft::deadlock {

using Kind = Event::Kind;

void CertificateChecker::main(int tile) {
  Pe& pe = pes_[static_cast<std::size_t>(tile)];
  const Event& e = pe.main.event();
  switch (e.kind) {
    case Kind::Command:
      require(pe.through == pe.parts, "a command at a tile that does not rest");
      pe.w.pop();
      if (++pe.main.done < e.n) return;
      pe.mp.n = pe.pm.n = 0;
      pe.entries.clear();
      return pe.main.next();
    case Kind::Axpy:
      pe.w.pop();
      if (++pe.main.done == e.n) pe.main.next();
      return;
    case Kind::Copy:
      pe.mp.push();
      pe.entries.emplace_back(true, 0);
      return pe.main.next();
    case Kind::Dot: {
      const std::uint32_t left = e.n - 1 - pe.main.done, count = left < e.full ? left : e.full;
      const bool last = left <= e.full;
      require(pe.lists.n > count, "the group is not closed");
      require(pe.pm.n > 0, "there is no dy");
      pe.mp.push();
      pe.entries.emplace_back(last, count);
      pe.lists.pop(count + last);
      pe.main.done += count;
      if (!last) return;
      pe.pm.pop();
      pe.listed = 0;
      return pe.main.next();
    }
    case Kind::Fork:
      require(pe.halted == pe.parts, "psum has not halted");
      ++pe.parts;
      return pe.main.next();
    default:
      require(pe.through == pe.parts, "psum is not idle");
      return pe.main.next();
  }
}

void CertificateChecker::gather(int tile) {
  Pe& pe = pes_[static_cast<std::size_t>(tile)];
  const Event& e = pe.main.event();
  require(e.kind == Kind::Dot && pe.listed < e.n, "no vdot gathers");
  pe.w.pop();
  pe.lists.bound = static_cast<std::uint32_t>(machine::gathered_most(e.full));
  pe.lists.push();
  ++pe.listed;
}

void CertificateChecker::psum(int tile) {
  Pe& pe = pes_[static_cast<std::size_t>(tile)];
  require(pe.through < pe.parts, "psum is not started");
  while (pe.psum.event().kind == Kind::Words && n_.times(tile, pe.psum.event()) == 0) pe.psum.next();
  const Event& e = pe.psum.event();
  if (e.kind == Kind::Halted) return ++pe.halted, pe.psum.next();
  if (e.kind == Kind::End) return ++pe.through, pe.psum.next();
  const std::uint32_t takes = n_.takes(tile, e);
  const auto word = [&] {
    if (takes) pe.ramp.at(e.cin).pop();
  };
  const auto send = [&] {
    if (!e.sends) return;
    out_of(pe, e.cout).entries.push();
    out_of(pe, e.cout).words.emplace_back(e.cout, e.sends);
  };
  if (e.kind == Kind::Reduce) {
    require(!pe.entries.empty(), "MP is empty");
    const auto [last, count] = pe.entries.front();
    if (count) {
      const std::uint32_t words = std::min<std::uint32_t>(e.sends, count - pe.psum.done);  // words of a beat
      word();
      if (takes && ++pe.held < words) return;
      pe.held = 0;
      out_of(pe, e.cout).entries.push();
      out_of(pe, e.cout).words.emplace_back(e.cout, words);
      pe.psum.done += words;
    }
    if (pe.psum.done < count) return;
    pe.psum.done = 0;
    pe.mp.pop();
    pe.entries.pop_front();
    if (last) pe.psum.next();
    return;
  }
  word();
  if (takes && ++pe.held < takes) return;  // a word that the beat takes in advance
  pe.held = 0;
  if (e.q) require(pe.mp.n > 0, "MP is empty");
  if (e.pm) require(pe.pm.n < pe.pm.bound, "PM is full");
  send();
  if (++pe.psum.done < n_.times(tile, e)) return;
  if (e.q) pe.mp.pop(), pe.entries.pop_front();
  if (e.pm) pe.pm.push();
  pe.psum.next();
}

void CertificateChecker::out(int tile, int own) {
  OutWords& out = pes_[static_cast<std::size_t>(tile)].out[static_cast<std::size_t>(own)];
  require(!out.words.empty(), "the out queue is empty");
  queue(tile, 4, out.words.front().first).channel.push();
  if (--out.words.front().second) return;
  out.words.pop_front();
  out.entries.pop();
}

}  // namespace weft::deadlock
