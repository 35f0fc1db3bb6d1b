#include "host/inspect/profile/edge_traffic.hpp"

namespace weft::inspect::profile {
namespace {

void add(Traffic& traffic, std::uint64_t cycle) {
  if (traffic.messages++ == 0) traffic.begin = cycle;
  traffic.end = cycle + 1;
}

bool is_mark(std::uint64_t word) {
  return word >> 37 & 1 && (word >> 24 & 255) == static_cast<std::uint64_t>(machine::Command::Mark);
}

}  // namespace

EdgeTraffic::EdgeTraffic(const compiler::Plan& plan, std::vector<Phase>& phases)
    : plan_(plan),
      phases_(phases),
      valve_phase_(static_cast<std::size_t>(plan.wafer.valves)),
      row_op_(static_cast<std::size_t>(plan.wafer.rows)) {
  for (Phase& phase : phases_) {
    phase.valves.resize(valve_phase_.size());
    phase.outlets.resize(row_op_.size());
  }
}

void EdgeTraffic::take(const std::vector<sim::EdgeEvent>& events) {
  for (const sim::EdgeEvent& event : events) {
    const auto place = static_cast<std::size_t>(event.place);
    if (event.kind == sim::EdgeEvent::Kind::Out) {
      out(place, event.cycle);
      continue;
    }
    std::size_t& phase = valve_phase_[place];
    add(phases_.at(phase).valves[place], event.cycle);
    phase += is_mark(event.word);
  }
}

void EdgeTraffic::out(std::size_t row, std::uint64_t cycle) {
  std::size_t& op = row_op_[row];
  const auto full = [&] {
    const auto& returned = plan_.ops.at(op).returned;
    return phases_[op + 1].outlets[row].messages >= (row < returned.size() ? returned[row] : 0);
  };
  while (full()) ++op;
  add(phases_[op + 1].outlets[row], cycle);
}

}  // namespace weft::inspect::profile
