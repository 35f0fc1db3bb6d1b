#include "sw/deadlock/root_cause.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>

namespace weft::deadlock {
namespace {

std::size_t index(ThreadRef t) { return static_cast<std::size_t>(t.tile) * 2 + t.psum; }

class Graph {
 public:
  explicit Graph(const machine::HangSnapshot& s)
      : s_(s), paths_(s), lost_(paths_.lost_credits()), of_(s.tiles.size() * 2) {
    for (int tile = 0; tile < static_cast<int>(s.tiles.size()); ++tile)
      for (const bool psum : {false, true}) {
        const ThreadRef who{tile, psum};
        for (const Wait& wait : waits(s, who)) links_of(who, wait);
      }
  }

  Diagnosis diagnosis() const;

 private:
  const machine::TileHang& at(int tile) const { return s_.tiles[static_cast<std::size_t>(tile)]; }
  std::string name(ThreadRef t) const { return paths_.name(t.tile) + "'s " + (t.psum ? "psum" : "main"); }

  void links_of(ThreadRef who, const Wait& wait);
  void blame(ThreadRef who, const Wait& wait, Fault fault, const std::string& text, ThreadRef whom) {
    of_[index(who)].push_back({who, wait, whom, fault, text});
  }
  /// Adds a link: `who` waits until `whom` acts.
  void on(ThreadRef who, const Wait& wait, ThreadRef whom, const std::string& text);
  void on(ThreadRef who, const Wait& wait, const Found& found, const std::string& verb);
  void words(ThreadRef who, const Wait& wait);
  /// Blames a link with lost credits if they explain why `who` waits; false if there is none.
  bool by_lost_credit(ThreadRef who, const Wait& wait);
  std::vector<Link> cycle() const;

  const machine::HangSnapshot& s_;
  const Paths paths_;
  const std::vector<LostCredit> lost_;
  std::vector<std::vector<Link>> of_;  // [thread]
};

void Graph::on(ThreadRef who, const Wait& wait, ThreadRef whom, const std::string& text) {
  const machine::TileHang& t = at(whom.tile);
  if (!ended(t, whom.psum)) return blame(who, wait, Fault::Cycle, text, whom);
  const ThreadRef other{whom.tile, !whom.psum};
  // A psum that has ended may still be started by its main. A main that has halted continues after psum has halted,
  // too.
  if (whom.psum && !ended(t, false))
    return blame(who, wait, Fault::Cycle, text + ", which its main has not started yet", other);
  if (!whom.psum && !ended(t, true) && wait.lack != Lack::MpEntry)
    return blame(who, wait, Fault::Cycle, text + ", which takes no words before its psum is done", other);
  if (whom.psum && whom.tile != who.tile) {
    const Found w = paths_.holds_w(whom.tile);
    if (!w.threads.empty() && std::ranges::find(w.threads, who) == w.threads.end())
      return blame(who, wait, Fault::Cycle, text + ", which rests and needs a command", {whom.tile, false});
  }
  blame(who, wait, Fault::Ended, text + ", which has halted", whom);
}

void Graph::on(ThreadRef who, const Wait& wait, const Found& found, const std::string& verb) {
  for (const ThreadRef whom : found.threads) on(who, wait, whom, verb + name(whom));
  if (found.threads.empty() && !found.without_route.empty()) {
    const Queue& q = found.without_route.front();
    blame(who, wait, Fault::NoRoute, paths_.name(q.tile) + " has no route for " + paths_.name(q),
          {q.tile, q.port == isa::Port::Ramp});
  } else if (found.threads.empty() && found.host) {
    blame(who, wait, Fault::HostTakesNone, "the host does not take what its row's outlet offers", who);
  }
}

bool Graph::by_lost_credit(ThreadRef who, const Wait& wait) {
  const bool takes = wait.lack == Lack::Words || wait.lack == Lack::Weights || wait.lack == Lack::Command;
  const bool sends = wait.lack == Lack::Room;
  if (!takes && !sends) return false;
  const int color = takes && wait.lack != Lack::Words ? 0 : wait.color;
  for (const LostCredit& l : lost_) {
    if (l.color != color || l.lost <= 0) continue;
    const bool all = l.lost >= s_.depth || (sends ? l.tile == who.tile : l.to == who.tile);
    if (!all) continue;
    blame(who, wait, Fault::LostCredit,
          "the link from " + l.link + " has lost " + std::to_string(l.lost) + " of its " + std::to_string(s_.depth) +
              " credits for " + color_name(color),
          {l.tile < 0 ? who.tile : l.tile, true});
    return true;
  }
  return false;
}

void Graph::words(ThreadRef who, const Wait& wait) {
  const std::string color = color_name(wait.color);
  const Found found = paths_.senders(who.tile, wait.color);
  // Words may have been dropped by a router on the way; the nearest such router is blamed.
  std::vector<Queue> missing = paths_.missing(wait.color);
  const auto distance = [&](const Queue& q) {
    const int cols = s_.shape.cols;
    return std::abs(q.tile / cols - who.tile / cols) + std::abs(q.tile % cols - who.tile % cols);
  };
  std::ranges::stable_sort(missing, {}, distance);
  for (const Queue& q : missing) {
    bool ours = found.threads.empty();
    for (const ThreadRef sender : found.threads) ours |= ended(at(sender.tile), true);
    if (ours)
      return blame(who, wait, Fault::NoRoute,
                   paths_.name(q.tile) + " has no route for " + paths_.name(q) + ": words that arrived there are lost",
                   {q.tile, q.port == isa::Port::Ramp});
  }
  for (const ThreadRef sender : found.threads) on(who, wait, sender, "waits for " + color + " from " + name(sender));
  if (!found.threads.empty()) return;
  if (!found.without_route.empty() || found.host) return on(who, wait, found, "");
  if (found.from_edge) return blame(who, wait, Fault::StreamEnded, "the host has sent all its messages", who);
  blame(who, wait, Fault::NoSender, "no route of " + color + " leads to this tile", who);
}

void Graph::links_of(ThreadRef who, const Wait& wait) {
  const ThreadRef main{who.tile, false}, psum{who.tile, true};
  if (by_lost_credit(who, wait)) return;
  switch (wait.lack) {
    case Lack::Words:
      return words(who, wait);
    case Lack::Room: {
      const auto& out = at(who.tile).out;
      // In a general tile each color waits for itself.
      const int color = out.empty() || s_.shape.general ? wait.color : out.front();
      return on(who, wait, paths_.receivers({who.tile, isa::Port::Ramp, color}),
                "waits until " + color_name(color) + " is taken by ");
    }
    case Lack::Route: {
      const auto ends = paths_.ends(who.tile, wait.color);
      const Queue q = ends.empty() ? Queue{who.tile, isa::Port::Ramp, wait.color} : ends.front();
      return blame(who, wait, Fault::NoRoute, paths_.name(q.tile) + " has no route for " + paths_.name(q),
                   {q.tile, q.port == isa::Port::Ramp});
    }
    case Lack::Weights:
    case Lack::Command: {
      const Found found = paths_.holds_w(who.tile);
      if (found.host && found.threads.empty())
        return blame(who, wait, Fault::StreamEnded, "the host has sent all its messages", who);
      return on(who, wait, found,
                std::string("waits for ") + (wait.lack == Lack::Command ? "a command" : "a weight or CR") +
                    ", and W is held up by ");
    }
    case Lack::MpEntry:
      return on(who, wait, main, "waits for an entry of MP from its main");
    case Lack::MpRoom:
      return on(who, wait, psum, "waits for room in MP: for its psum");
    case Lack::PmEntry:
      return on(who, wait, psum, "waits for an entry of PM from its psum");
    case Lack::PmRoom:
      return on(who, wait, main, "waits for room in PM: for its main");
    case Lack::PsumIdle:
      return on(who, wait, psum, "waits until its psum is idle");
    case Lack::Nothing:
      return blame(who, wait, Fault::Endless, "runs without an end", who);
  }
}

/// The shortest cycle of the wait-for graph; empty if there is none.
std::vector<Link> Graph::cycle() const {
  std::vector<Link> best;
  for (std::size_t start = 0; start < of_.size(); ++start) {
    std::map<std::size_t, const Link*> by;  // the link by which a thread was reached
    std::vector<std::size_t> open{start};
    for (std::size_t next = 0; next < open.size(); ++next)
      for (const Link& link : of_[open[next]]) {
        const std::size_t to = index(link.whom);
        if (link.fault != Fault::Cycle || by.contains(to)) continue;
        by[to] = &link;
        open.push_back(to);
      }
    if (!by.contains(start)) continue;
    std::vector<Link> ring;
    for (std::size_t at = start; ring.empty() || at != start; at = index(ring.back().who)) ring.push_back(*by.at(at));
    std::ranges::reverse(ring);
    if (best.empty() || ring.size() < best.size()) best = ring;
  }
  return best;
}

Diagnosis Graph::diagnosis() const {
  Diagnosis d;
  d.lost = lost_;
  const Link* fault = nullptr;
  for (const auto& links : of_)
    for (const Link& link : links) {
      d.all.push_back(link);
      if (link.fault == Fault::Cycle) continue;
      // A tile at rest waiting for a command is normal.
      if (link.wait.lack == Lack::Command) continue;
      if (!fault || link.fault < fault->fault) fault = &link;
    }
  if (!fault || fault->fault > Fault::Cycle) {
    d.chain = cycle();
    if (!d.chain.empty()) {
      d.fault = Fault::Cycle;
      return d;
    }
  }
  if (!fault) return d;
  d.fault = fault->fault;
  d.chain = {*fault};
  // Prepends a thread that waits for the first one of the chain, repeatedly: one path of waiting threads to the fault.
  std::vector<bool> seen(of_.size());
  seen[index(fault->who)] = true;
  for (bool more = true; more && d.chain.size() < 12;) {
    more = false;
    for (const Link& link : d.all) {
      if (link.fault != Fault::Cycle || !(link.whom == d.chain.front().who) || seen[index(link.who)]) continue;
      if (link.wait.lack == Lack::Command) continue;
      seen[index(link.who)] = more = true;
      d.chain.insert(d.chain.begin(), link);
      break;
    }
  }
  return d;
}

}  // namespace

Diagnosis diagnose(const machine::HangSnapshot& s) { return Graph(s).diagnosis(); }

}  // namespace weft::deadlock
