/// vr: sums vdot's slots along the lanes and along the row.
#include <algorithm>
#include <array>

#include "verif/model/edge/west.hpp"
#include "verif/model/instructions/instructions.hpp"
#include "verif/model/instructions/reduce_lanes.hpp"
#include "verif/model/numbers/numbers.hpp"

namespace weft::model {

namespace {

/// Sums `count` slots along the lanes; the columns are added later, from the east.
void reduce(Machine& m, West& west, int first, int count) {
  const float* slots[kSlots];
  for (int j = 0; j < count; ++j) slots[j] = m.accumulators.at(first + j);
  const std::size_t room = reserve_sums(m, west, count);
  reduce_lanes(m, slots, count, west.sums(room));
}

/// Reduces all columns at once, for the entries that MP holds.
Outcome reduce_in_step(Machine& m, VectorOp& op) {
  West* west = m.ports.along_row(op.in.cout);
  if (!west || (m.in_lockstep() && op.in.cin != op.in.cout)) return op.not_in_lockstep("a vr that is not along WEST");
  for (;;) {
    if (!m.mp.any()) return op.wait("an entry of MP");
    const Handoff entry = m.mp.front();
    if (m.deferred_dots.in_front(m.mp.size()))
      m.deferred_dots.reduce(*west, reserve_sums(m, *west, entry.count));
    else
      reduce(m, *west, op.rc + m.mp.taken_buffer() * kSlots, entry.count);
    m.count(reduce_beats(m.place.shape.lanes, entry.count), false);
    m.mp.pop();
    m.work.moved = true;
    if (entry.last) return Outcome::Done;
  }
}

/// Sum over a tile's own lanes.
float lane_sum(const float* slot, int lanes) {
  std::array<FlushedFloat, 64> sum;
  std::copy_n(slot, lanes, sum.begin());
  for (int step = 1; step < lanes; step *= 2)  // adjacent lanes first
    for (int l = 0; l < lanes; l += 2 * step) sum[l] += sum[l + step];
  return static_cast<float>(sum[0]);
}

/// Slots per beat.
int pair_of(int lanes) { return lanes == 2 ? 1 : 2; }

}  // namespace

/// A tree of lanes - 1 sums runs at two sums per beat; one more beat adds the neighbour's sums and sends. The last sum
/// and the send handle two slots, except where the entry has only one left.
std::uint64_t reduce_beats(int lanes, int count) {
  const auto slots = static_cast<unsigned>(count), pairs = static_cast<unsigned>(lanes) / 2;
  return lanes == 2 ? 2 * slots : (pairs - 1) * slots + 2 * ((slots + 1) / 2);
}

int reduced_at_once(const Machine& m, const VectorOp& op) {
  const int most = pair_of(m.place.shape.lanes);
  return m.mp.any() ? std::min(most - op.done % most, m.mp.front().count - op.done) : 0;
}

/// op.started: the lanes of MP's front entry have been summed. op.done: its slots already sent.
Outcome vr(Machine& m, VectorOp& op) {
  if (m.parts) return reduce_in_step(m, op);
  if (const Outcome can = m.ports.can_send(op.in.cout); can != Outcome::Done) return op.cannot_send(can);
  const int lanes = m.place.shape.lanes;
  Stream* from = m.place.last_column() ? nullptr : m.ports.in(op.in.cin);
  for (;;) {
    if (!m.mp.any()) return op.wait("an entry of MP");
    const Handoff entry = m.mp.front();
    const int first = op.rc + m.mp.taken_buffer() * kSlots;
    if (!op.started) {
      m.count(reduce_beats(lanes, entry.count), false);
      op.started = m.work.moved = true;
    }
    while (op.done < entry.count) {
      const int words = reduced_at_once(m, op);
      if (from && static_cast<int>(from->words()) < words) return op.wait("words of its input color");
      if (m.ports.room(op.in.cout) <= 0) return op.wait(Waiting::kRoom);
      const bool bounded =
          m.ports.room(op.in.cout) < Ports::kNoBound;  // each beat is then one entry: [word] instead of [beat]
      const int k = bounded ? words : 1;
      Stream::Piece piece{nullptr, bounded ? 1 : entry.count - op.done};
      if (from) {
        // An odd word waits for the other word of its beat.
        if (const int there = static_cast<int>(from->words()); !bounded && there < piece.beats)
          piece.beats = there - (there - words) % pair_of(lanes);
        piece = from->take(piece.beats, k);
      }
      std::array<std::uint32_t, kSlots> sums;
      const int slots = piece.beats * k;
      for (int j = 0; j < slots; ++j) {
        FlushedFloat sum = lane_sum(m.accumulators.at(first + op.done + j), lanes);
        if (from) sum += as_float(piece.words[j]);
        const std::uint32_t bits = as_bits(static_cast<float>(sum));
        sums[static_cast<std::size_t>(j)] = weft::is_nan(bits) ? kNan : bits;
      }
      m.ports.send(op.in.cout, sums.data(), piece.beats, k);
      op.done += slots;
      m.work.moved = true;
    }
    m.mp.pop();
    op.started = false;
    op.done = 0;
    if (entry.last) return Outcome::Done;
  }
}

}  // namespace weft::model
