/// Scheduler: steps of the edge and of routers.
#include "sw/deadlock/scheduler.hpp"

namespace weft::deadlock {

void Scheduler::list_upstream(int t, int port, int color) {
  if (port == kRamp) return list_tile(t);
  const int from = n_.neighbour(t, port);
  if (from < 0) {
    if (port == kWestPort) list_cell(n_.row(t));
    return;
  }
  for (int p = 0; p < 5; ++p)
    if (queues_[queue(from, p, color)]) list_queue(from, p, color);
}

void Scheduler::run_valve(int v) {
  const auto& messages = n_.valves[static_cast<std::size_t>(v)];
  std::size_t& next = next_[static_cast<std::size_t>(v)];
  auto& cell = cells_[static_cast<std::size_t>(n_.first_row(v))];
  std::uint32_t n = 0;
  while (next < messages.size() && cell.size() < depth_) cell.push_back(messages[next++]), ++n;
  did(agents_.valve(v), n);
  if (n) list_cell(n_.first_row(v));
}

void Scheduler::run_cell(int r) {
  auto& cell = cells_[static_cast<std::size_t>(r)];
  std::uint8_t& served = served_[static_cast<std::size_t>(r)];
  const bool last = r + 1 == n_.first_row(n_.valve_of(r) + 1);
  const int t = r * n_.shape.cols;
  bool popped = false;
  while (!cell.empty()) {
    const int m = cell.front();
    const unsigned wanted = (m == Network::kCommand || m == r ? 1u : 0u) | (m != r && !last ? 2u : 0u);
    if (!wanted) did(agents_.cell(r, 0), 1);
    if ((wanted & ~served & 1u) && queues_[queue(t, kWestPort, 0)] < depth_) {
      ++queues_[queue(t, kWestPort, 0)];
      served |= 1;
      did(agents_.cell(r, 0), 1);
      list_queue(t, kWestPort, 0);
    }
    if ((wanted & ~served & 2u) && cells_[static_cast<std::size_t>(r) + 1].size() < depth_) {
      cells_[static_cast<std::size_t>(r) + 1].push_back(m);
      served |= 2;
      did(agents_.cell(r, 1), 1);
      list_cell(r + 1);
    }
    if (wanted & ~served) break;
    cell.pop_front();
    served = 0;
    popped = true;
  }
  if (!popped) return;
  if (r == n_.first_row(n_.valve_of(r)))
    list_valve(n_.valve_of(r));
  else
    list_cell(r - 1);
}

void Scheduler::run_queue(int t, int port, int color) {
  const std::size_t q = queue(t, port, color);
  const unsigned outputs = n_.outputs(t, port, color);
  std::uint8_t& pending = pending_[q];
  bool popped = false;
  while (queues_[q]) {
    if (!pending) pending = static_cast<std::uint8_t>(outputs);
    if (!outputs) did(agents_.branch(t, port, color, 5), 1);
    for (int out = 0; out < 5; ++out) {
      if (!(pending >> out & 1)) continue;
      if (out == kRamp) {
        std::uint32_t& into = color == 0 ? tile(t).w : ramp(t, color);
        if (into >= depth_) continue;
        ++into;
        list_tile(t);
      } else if (const int to = n_.neighbour(t, out); to < 0) {
        ++delivered_[static_cast<std::size_t>(n_.row(t))];  // the host takes all words of the outlet
      } else {
        std::uint32_t& into = queues_[queue(to, out ^ 2, color)];
        if (into >= depth_) continue;
        ++into;
        list_queue(to, out ^ 2, color);
      }
      pending &= static_cast<std::uint8_t>(~(1u << out));
      did(agents_.branch(t, port, color, out), 1);
    }
    if (pending) break;
    --queues_[q];
    popped = true;
  }
  if (popped) list_upstream(t, port, color);
}

Outcome Scheduler::run() {
  for (int t = 0; t < n_.tiles(); ++t) list_tile(t);
  for (int v = 0; v < n_.shape.valves; ++v) list_valve(v);
  while (!open_.empty()) {
    const int unit = open_.back();
    open_.pop_back();
    listed_[static_cast<std::size_t>(unit)] = false;
    if (unit >= queues_first_) {
      const int q = unit - queues_first_;
      run_queue(q / colors_ / 5, q / colors_ % 5, q % colors_);
    } else if (unit >= tiles_first_) {
      run_tile(unit - tiles_first_);
    } else if (unit >= cells_first_) {
      run_cell(unit - cells_first_);
    } else {
      run_valve(unit);
    }
  }
  hand_over();
  return outcome();
}

Outcome schedule(const Network& network, const TakeSteps& take) { return Scheduler(network, take).run(); }

Outcome schedule(const Network& network, Order& order) {
  return schedule(network, [&](std::span<const Step> steps) { order.insert(order.end(), steps.begin(), steps.end()); });
}

}  // namespace weft::deadlock
