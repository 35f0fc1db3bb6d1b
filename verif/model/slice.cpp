#include "verif/model/slice.hpp"

#include <utility>

#include "verif/model/numbers.hpp"

namespace weft::model {

Slice::Slice(const WaferShape& shape, Columns c) : columns(c), shape_(shape), shift_(shape.row_shift()) {
  for (int r = 0; r < shape.rows; ++r) rows.push_back(std::make_unique<Row>(shape, r, columns));
  for (int r = 0; r < shape.rows; ++r) {
    rows[r]->ring_out = &rows[(r + 1) % shape.rows]->ring;
    rows[r]->north_out = r ? &rows[r - 1]->north : nullptr;
  }
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
    std::swap(yield.west[r], rows[r]->west);
    std::swap(yield.scalars[r], rows[r]->scalars);
  }
}

void Slice::distribute(std::span<const Message> messages) {
  for (auto& row : rows) row->inbox.make_room(messages.size());
  for (const Message& m : messages) {
    if (m.ctrl) {
      edge_messages += shape_.valves;  // every valve gets the commands
      for (auto& row : rows) row->inbox.push_control(m.data);
      continue;
    }
    ++edge_messages;
    const unsigned row = m.data >> 16 >> shift_;
    if (row < rows.size())
      rows[row]->inbox.push_data(m.data);
    else
      rows.back()->flag(isa::Flag::NoRow);
  }
}

void Slice::settle() {
  FlushDenormals mode;
  for (bool moved = true; moved;) {
    moved = false;
    for (auto& row : rows) moved |= row->run();
  }
}

}  // namespace weft::model
