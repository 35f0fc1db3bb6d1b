#include "verif/model/step/slice.hpp"

#include <algorithm>
#include <utility>

#include "verif/model/numbers.hpp"

namespace weft::model {

Slice::Slice(const WaferShape& shape, Columns c, int parts) : columns(c), intake(shape) {
  for (int r = 0; r < shape.rows; ++r) rows.push_back(std::make_unique<Row>(Place{shape, r, columns}, chains_, parts));
}

void Slice::feed(std::span<const Message> messages, Yield& yield) noexcept {
  yield.failure = failure_;
  if (failure_) return;
  // In portions, so that what is queued stays in the cache.
  constexpr std::size_t kPortion = 4096;
  try {
    while (!messages.empty()) {
      const std::size_t n = std::min(messages.size(), kPortion);
      distribute(messages.first(n));
      messages = messages.subspan(n);
      settle();
    }
  } catch (...) {
    yield.failure = failure_ = std::current_exception();
  }
  for (std::size_t r = 0; r < rows.size(); ++r) {
    yield.stopped |= rows[r]->pe.stopped() != nullptr;
    std::swap(yield.west[r], rows[r]->ports.west);
    std::swap(yield.scalars[r], rows[r]->pe.machine.scalars);
  }
}

void Slice::distribute(std::span<const Message> messages) {
  for (auto& row : rows) row->pe.machine.w.make_room(messages.size());
  intake.distribute(
      messages,
      [this](std::uint32_t word) {
        for (auto& row : rows) row->pe.machine.w.push_control(word);
      },
      [this](std::size_t row, std::uint32_t word) { rows[row]->pe.machine.w.push_data(word); });
}

void Slice::settle() {
  FlushDenormals mode;
  for (bool moved = true; moved;) {
    moved = false;
    for (auto& row : rows) moved |= row->pe.run();
  }
}

void Slice::reset() {
  for (auto& row : rows) {
    row->ports.clear();
    row->pe.reset();
  }
  intake.reset();
  failure_ = nullptr;
}

}  // namespace weft::model
