/// vr: sums vdot's slots along lanes and along the row.
#include <algorithm>
#include <utility>

#include "sw/machine/message.hpp"
#include "verif/model/row.hpp"
#include "verif/model/simd.hpp"

namespace weft::model {

namespace {

constexpr int kSlots = 16;

/// Swaps elements between the rows i and i + Step whose numbers lack Step's bit, then on with larger steps.
template <int Step, int... Is>
inline void swap_halves(V (&rows)[kVector], std::integer_sequence<int, Is...> all) {
  constexpr I low{(Is & Step ? kVector + Is - Step : Is)...}, high{(Is & Step ? kVector + Is : Is + Step)...};
  for (int i = 0; i < kVector; ++i) {
    if (i & Step) continue;
    const V a = rows[i], b = rows[i + Step];
    rows[i] = __builtin_shuffle(a, b, low);
    rows[i + Step] = __builtin_shuffle(a, b, high);
  }
  if constexpr (2 * Step < kVector) swap_halves<2 * Step>(rows, all);
}

/// rows[i][j] becomes rows[j][i].
inline void transpose(V (&rows)[kVector]) { swap_halves<1>(rows, std::make_integer_sequence<int, kVector>()); }

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

/// The sums of `count` slots along the lanes, to be added up column by column from the east. As many slots at a time as
/// a vector holds.
void Row::reduce(int first, int count) {
  const int lanes = shape_.lanes;
  float* own = a_.data();  // [col][lane][slot]
  for (int done = 0; done < count; done += kVector) {
    const int slots = std::min(count - done, kVector);
    for (int at = 0; at < width_; at += kVector) {
      V block[kVector];
      for (int j = 0; j < kVector; ++j) block[j] = load(r(first + done + std::min(j, slots - 1)) + at);
      transpose(block);
      for (int i = 0; i < std::min(kVector, width_ - at); ++i) store(own + (at + i) * kVector, block[i]);
    }
    const auto lane_sum = [&](int col) {
      float* sum = own + col * lanes * kVector;
      for (int step = 1; step < lanes; step *= 2)  // neighbours first
        for (int l = 0; l < lanes; l += 2 * step)
          store(sum + l * kVector, load(sum + l * kVector) + load(sum + (l + step) * kVector));
      return load(sum);
    };
    if (last_column_is_here()) {
      V sum = lane_sum(columns_.count - 1);
      for (int col = columns_.count - 2; col >= 0; --col) sum += lane_sum(col);
      store(west.sums(slots, 1), sum);
    } else {
      float* sums = west.sums(slots, columns_.count);
      for (int col = columns_.count - 1; col >= 0; --col, sums += kVector) store(sums, lane_sum(col));
    }
  }
}

}  // namespace weft::model
