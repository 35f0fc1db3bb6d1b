#include "verif/model/step/slice.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "verif/model/numbers/numbers.hpp"

namespace weft::model {

Slice::Slice(const machine::WaferShape& shape, Columns c, int parts)
    : columns(c), intake(shape), scratch_(c.count * shape.lanes), ends_(static_cast<std::size_t>(shape.rows)) {
  for (int r = 0; r < shape.rows; ++r)
    rows.push_back(std::make_unique<Row>(Place{shape, r, columns}, chains_, scratch_, parts));
}

void Slice::feed(Incoming incoming, Yield& yield) noexcept {
  yield.failure = failure_;
  if (failure_) return;
  try {
    while (incoming.left() > 0) {
      distribute(incoming);
      settle();
    }
    catch_up();
    for (auto& row : rows) row->pe.machine.program.share(rows[0]->pe.machine.program);  // stays in the cache
  } catch (const std::bad_alloc&) {  // deferred work may be incomplete
    yield.failure = failure_ = std::current_exception();
  } catch (...) {
    yield.failure = failure_ = std::current_exception();
    try {
      catch_up();  // so that the state can be inspected
    } catch (const std::bad_alloc&) {
    }
  }
  for (std::size_t r = 0; r < rows.size(); ++r) {
    yield.stopped |= rows[r]->pe.stopped() != nullptr;
    std::swap(yield.west[r], rows[r]->ports.west);
    std::swap(yield.scalars[r], rows[r]->pe.machine.scalars);
  }
}

/// Distributes a portion: few enough messages that queued data stays in the cache, yet so many that a row gets several
/// outputs at once, and whole outputs, as many as a row computes at a time.
void Slice::distribute(Incoming& incoming) {
  constexpr std::size_t kMost = 3 << 14, kOfRow = 256;
  const std::size_t enough = std::clamp<std::size_t>(rows.size() * kOfRow, 2048, kMost / 2);
  const std::size_t room = std::min(incoming.left(), kMost);
  std::size_t taken = 0;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    rows[r]->pe.machine.w.make_room(room);
    ends_[r] = rows[r]->pe.machine.w.end();
  }
  const auto pushed = [this](const auto& then) {
    for (std::size_t r = 0; r < rows.size(); ++r) {
      Inbox& w = rows[r]->pe.machine.w;
      w.pushed_to(ends_[r]);
      then(w);
    }
  };
  const auto to_row = [ends = ends_.data()](std::size_t row, std::uint32_t word) { *ends[row]++ = word; };
  int outputs = 0;
  bool more = true;
  while (more && taken < room) {
    const std::size_t n = intake.distribute(
        incoming.messages(room - taken),
        [&](std::size_t before, std::uint32_t word) {
          pushed([word](Inbox& w) { w.push_control(word); });
          outputs = word >> 24 == static_cast<unsigned>(machine::Command::CR) ? outputs + 1 : 0;
          return more = taken + before < enough || outputs % PrecomputedSums::kOutputs != 0;
        },
        to_row);
    incoming.took(n);
    taken += n;
    if (!more) break;
    if (const auto run = incoming.run(room - taken)) {
      intake.distribute(*run, [ends = ends_.data()](std::size_t row) -> std::uint32_t*& { return ends[row]; });
      taken += run->destinations.size();
    }
  }
  pushed([](Inbox&) {});
}

/// Rows are patient at first: an output whose partial sum is still in another row is executed as a whole later, in the
/// next pass over the rows. Rows where such a sum never arrives continue as far as they can without it.
void Slice::settle() {
  FlushDenormals mode;
  for (bool patient = true;;) {
    bool moved = false;
    for (auto& row : rows) {
      moved |= row->pe.run(patient);
      if (between_ != nullptr && *between_) (*between_)();
    }
    if (progress_ != nullptr) progress_->fetch_add(1, std::memory_order_relaxed);
    if (!moved && !patient) return;
    patient = moved;
  }
}

void Slice::catch_up() {
  FlushDenormals mode;
  for (auto& row : rows) model::catch_up(row->pe.machine);
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
