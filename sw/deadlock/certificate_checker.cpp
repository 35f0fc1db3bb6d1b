/// Certificate checker: steps of the edge and of routers, and the end of an order.
#include "sw/deadlock/certificate_checker.hpp"

namespace weft::deadlock {

void CertificateChecker::valve(int v) {
  const auto& messages = n_.valves.at(static_cast<std::size_t>(v));
  std::size_t& next = valves_[static_cast<std::size_t>(v)];
  require(next < messages.size(), "the host has no more");
  Cell& into = cells_[static_cast<std::size_t>(n_.first_row(v))];
  into.channel.push();
  into.messages.push_back(messages[next++]);
}

void CertificateChecker::cell(int row, bool south) {
  Cell& c = cells_[static_cast<std::size_t>(row)];
  require(!c.messages.empty(), "the intake's cell is empty");
  const int m = c.messages.front();
  const bool end = row + 1 == n_.shape.rows || n_.valve_of(row + 1) != n_.valve_of(row);
  const bool here = m == Network::kCommand || m == row, on = m != row && !end;
  if (south) {
    require(on && !(c.served & 2u), "the message does not go south");
    cells_[static_cast<std::size_t>(row) + 1].channel.push();
    cells_[static_cast<std::size_t>(row) + 1].messages.push_back(m);
    c.served |= 2;
  } else if (here) {
    require(!(c.served & 1u), "the message was already delivered");
    queue(row * n_.shape.cols, 3, 0).channel.push();
    c.served |= 1;
  } else {
    require(!on, "the message must also go south");
  }
  if (here && !(c.served & 1u)) return;
  if (on && !(c.served & 2u)) return;
  c.messages.pop_front();
  c.channel.pop();
  c.served = 0;
}

void CertificateChecker::branch(int tile, int port, int color, int out) {
  Front& q = queue(tile, port, color);
  require(q.channel.n > 0, "the queue is empty");
  const unsigned outputs = n_.outputs(tile, port, color);
  if (out == 5) {
    require(outputs == 0, "the queue has a route");
    return q.channel.pop();
  }
  require((outputs & ~q.served) >> out & 1u, "the front of the queue does not use this output");
  if (out == 4) {
    Pe& pe = pes_[static_cast<std::size_t>(tile)];
    (color == 0 ? pe.w : pe.ramp[static_cast<std::size_t>(color)]).push();
  } else if (const int to = n_.neighbour(tile, out); to >= 0) {
    queue(to, out ^ 2, color).channel.push();
  } else {
    require(out == 3, "the output leads off the wafer");
  }
  q.served |= 1u << out;
  if (q.served != outputs) return;
  q.served = 0;
  q.channel.pop();
}

void CertificateChecker::step(std::uint32_t agent, std::uint32_t times) {
  const int a = static_cast<int>(agent), tiles = n_.tiles(), first_tile = static_cast<int>(agents_.main(0));
  for (; times; --times) {
    if (a < n_.shape.valves) {
      valve(a);
    } else if (a < first_tile) {
      cell((a - n_.shape.valves) / 2, (a - n_.shape.valves) % 2 != 0);
    } else if (const int b = a - first_tile; b < tiles) {
      main(b);
    } else if (b < 2 * tiles) {
      gather(b - tiles);
    } else if (b < 3 * tiles) {
      psum(b - 2 * tiles);
    } else if (b < 4 * tiles) {
      require(!n_.shape.general, "a general tile has no out queue of all colors");
      out(b - 3 * tiles, 0);
    } else {
      const int q = b - 4 * tiles, colors = n_.shape.colors, queue = q - tiles * 5 * colors * 6;
      if (n_.shape.general && queue >= 0 && queue < tiles * colors) {
        out(queue / colors, queue % colors);
        continue;
      }
      require(q / 6 / colors / 5 < tiles, "no such agent");
      branch(q / 6 / colors / 5, q / 6 / colors % 5, q / 6 % colors, q % 6);
    }
  }
}

void CertificateChecker::end() {
  for (std::size_t v = 0; v < valves_.size(); ++v)
    require(valves_[v] == n_.valves[v].size(), "the host has messages left");
  for (const Cell& c : cells_) require(c.channel.n == 0, "an intake's cell is not empty");
  for (const Front& q : queues_) require(q.channel.n == 0, "a router's queue is not empty");
  for (std::size_t t = 0; t < pes_.size(); ++t) {
    Pe& pe = pes_[t];
    require(pe.main.ended() && pe.psum.ended() && pe.through == pe.parts, "a thread has not ended");
    require(pe.w.n == 0 && pe.lists.n == 0, "a PE is not empty");
    for (const OutWords& out : pe.out) require(out.entries.n == 0, "a PE is not empty");
    for (const Channel& c : pe.ramp) require(c.n == 0, "a PE has words left");
  }
}

Verifier::Verifier(const Network& network)
    : network_(network), checker_(std::make_unique<CertificateChecker>(network)) {}
Verifier::~Verifier() = default;

void Verifier::apply(std::span<const Step> steps) {
  if (!wrong_.empty()) return;
  for (const Step& step : steps) {
    try {
      checker_->step(step.agent, step.n);
    } catch (const Bad& bad) {
      wrong_ = "step " + std::to_string(at_) + ", " + Agents(network_).name(step.agent) + ": " + bad.what();
      return;
    }
    ++at_;
  }
}

std::string Verifier::end() {
  if (!wrong_.empty()) return wrong_;
  try {
    checker_->end();
  } catch (const Bad& bad) {
    return "step " + std::to_string(at_) + ": " + bad.what();
  }
  return "";
}

std::string verify(const Network& network, const Order& order) {
  Verifier verifier(network);
  verifier.apply(order);
  return verifier.end();
}

}  // namespace weft::deadlock
