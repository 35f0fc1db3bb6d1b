#include "verif/sim/intake.hpp"

#include <algorithm>

namespace weft::sim {

Intake::Intake(const machine::WaferShape& shape)
    : rows_(shape.rows), shift_(shape.row_shift()), queues_(static_cast<std::size_t>(shape.valves)) {
  const int span = 1 << (16 - shift_);
  valve_of_.resize(static_cast<std::size_t>(span), shape.valves - 1);
  for (int v = 0; v < shape.valves; ++v)
    std::fill(valve_of_.begin() + first_row(v), valve_of_.begin() + first_row(v + 1), v);
}

void Intake::push(std::span<const machine::Message> messages, int group) {
  for (const machine::Message& m : messages) {
    const std::uint64_t word = queued(link_bits(m), group);
    if (m.ctrl) {
      for (IntakeQueue& q : queues_) q.push(word);
    } else {
      queues_[static_cast<std::size_t>(valve_of_[m.data >> 16 >> shift_])].push(word);
    }
  }
}

bool Intake::all_busy() const {
  return std::none_of(queues_.begin(), queues_.end(), [](const IntakeQueue& q) { return q.empty(); });
}

bool Intake::empty() const {
  return std::all_of(queues_.begin(), queues_.end(), [](const IntakeQueue& q) { return q.empty(); });
}

}  // namespace weft::sim
