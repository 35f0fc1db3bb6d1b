/// vr: sums vdot's slots along lanes and along the row.
#include <array>

#include "verif/message.hpp"
#include "verif/model/numbers.hpp"
#include "verif/model/row.hpp"
#include "verif/model/simd.hpp"

namespace weft::model {

namespace {

constexpr int kSlots = 16;

/// Of each group of `lanes` neighbours the sum, pair by pair, in the group's first place.
void add_lanes(const float* from, float* to, int size, int lanes) {
  I pairs[6];  // whom a lane is added to, step by step
  int steps = 0;
  for (int step = 1; step < std::min(lanes, kVector); step *= 2, ++steps)
    for (int i = 0; i < kVector; ++i) pairs[steps][i] = i ^ step;
  for_vectors(size, [=, &pairs](int i, int n) {
    V v = load(from + i);
    for (int s = 0; s < steps; ++s) v += __builtin_shuffle(v, pairs[s]);
    store(to + i, v, n);
  });
  for (int step = kVector; step < lanes; step *= 2)  // sums of whole vectors
    for (int i = 0; i < size; i += 2 * step) to[i] += to[i + step];
}

}  // namespace

bool Row::vr(VectorOp& op) {
  constexpr int kWest = static_cast<int>(Color::West);
  if (op.in.cout != kWest || (shape_.cols > 1 && op.in.cin != kWest)) fail(op.pc, "vr works along WEST only");
  for (;;) {
    if (!mp_.any()) return wait(op, "an entry of MP");
    if (west_debt_) fail(op.pc, "a word that rcv took on WEST was never sent");
    const Handoff entry = mp_.front();
    const int first = op.rc + mp_.taken_parity() * kSlots;
    reduce(first, entry.count);
    count((1 + shape_.lanes / 2) * entry.count, false);
    mp_.pop();
    moved_ = true;
    if (entry.last) return true;
  }
}

/// The sums of `count` slots, to the outlet: along the lanes, then column by column from the east.
void Row::reduce(int first, int count) {
  const int lanes = shape_.lanes, last = shape_.cols - 1;
  float* own = a_.data();  // [slot][col], at the first lane of each
  for (int j = 0; j < count; ++j) add_lanes(r(first + j), own + j * width_, width_, lanes);
  std::array<float, kSlots> sum;
  for (int j = 0; j < count; ++j) sum[j] = own[j * width_ + last * lanes];
  for (int col = last - 1; col >= 0; --col)
    for (int j = 0; j < count; ++j) sum[j] += own[j * width_ + col * lanes];
  for (int j = 0; j < count; ++j) to_outlet(canonical(as_bits(sum[j])));
}

}  // namespace weft::model
