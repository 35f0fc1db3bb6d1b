#include "verif/model/instructions/reduce_lanes.hpp"

#include <algorithm>
#include <utility>

#include "verif/model/numbers/simd.hpp"

namespace weft::model {

namespace {

/// Transposes a matrix of First x First blocks: swaps elements between rows i and i + Step / First whose index lacks
/// Step's bit, then continues with larger steps.
template <int Step, int First, std::size_t Rows, int... Is>
inline void swap_halves(V (&rows)[Rows], std::integer_sequence<int, Is...> all) {
  constexpr int kApart = Step / First;
  for (int i = 0; i < static_cast<int>(Rows); ++i) {
    if (i & kApart) continue;
    const V a = rows[i], b = rows[i + kApart];
    rows[i] = __builtin_shufflevector(a, b, (Is & Step ? kVector + Is - Step : Is)...);
    rows[i + kApart] = __builtin_shufflevector(a, b, (Is & Step ? kVector + Is : Is + Step)...);
  }
  if constexpr (2 * Step < kVector) swap_halves<2 * Step, First>(rows, all);
}

constexpr auto kAll = std::make_integer_sequence<int, kVector>();

/// Adds adjacent elements of a and b: each group of four is a0 + a1, a2 + a3, b0 + b1, b2 + b3.
template <int... Is>
inline V add_neighbours(V a, V b, std::integer_sequence<int, Is...>) {
  const V even = __builtin_shufflevector(a, b, ((Is % 4 < 2 ? 0 : kVector) + Is / 4 * 4 + Is % 2 * 2)...);
  const V odd = __builtin_shufflevector(a, b, ((Is % 4 < 2 ? 0 : kVector) + Is / 4 * 4 + Is % 2 * 2 + 1)...);
  return add(even, odd);
}

/// Calls f(col, sums) for all columns, from the east; `sums` holds the lane sums of up to kVector slots. For 4 lanes.
template <class F>
void four_lanes(const Machine& m, const float* const* slots, int count, F f) {
  constexpr int kColumns = kVector / 4;  // columns in a vector
  const int columns = m.place.columns.count;
  for (int first = (columns - 1) / kColumns * kColumns; first >= 0; first -= kColumns) {
    V sums[kColumns];  // [col][slot] of four slots each; after the transposition one column each
    for (int q = 0; q < kColumns; ++q) {
      const auto slot = [&](int j) { return load(slots[std::min(4 * q + j, count - 1)] + first * 4); };
      sums[q] = add_neighbours(add_neighbours(slot(0), slot(1), kAll), add_neighbours(slot(2), slot(3), kAll), kAll);
    }
    if constexpr (kColumns > 1) swap_halves<4, 4>(sums, kAll);
    for (int col = std::min(kColumns, columns - first); col-- > 0;) f(first + col, sums[col]);
  }
}

/// The lane sums of up to kVector slots of 4 lanes and one column, one slot after the other in memory.
template <int... Is>
inline V one_column(const float* slots, int count, std::integer_sequence<int, Is...>) {
  constexpr int kTogether = kVector / 4;  // slots in a vector
  const auto vector = [&](int q) { return load(slots + std::min(q, (count - 1) / kTogether) * kVector); };
  const V sums =  // [slot % kTogether][slot / kTogether]
      add_neighbours(add_neighbours(vector(0), vector(1), kAll), add_neighbours(vector(2), vector(3), kAll), kAll);
  return __builtin_shufflevector(sums, sums, (Is % kTogether * 4 + Is / kTogether)...);
}

/// As four_lanes(), for any number of lanes.
template <class F>
void any_lanes(Machine& m, const float* const* slots, int count, F f) {
  const int lanes = m.place.shape.lanes, width = m.place.width();
  float* own = m.scratch.a.data();  // [col][lane][slot]
  for (int at = 0; at < width; at += kVector) {
    V block[kVector];
    for (int j = 0; j < kVector; ++j) block[j] = load(slots[std::min(j, count - 1)] + at);
    swap_halves<1, 1>(block, kAll);
    for (int i = 0; i < std::min(kVector, width - at); ++i) store(own + (at + i) * kVector, block[i]);
  }
  for (int col = m.place.columns.count; col-- > 0;) {
    float* sum = own + col * lanes * kVector;
    for (int step = 1; step < lanes; step *= 2)  // adjacent lanes first
      for (int l = 0; l < lanes; l += 2 * step)
        store(sum + l * kVector, add(load(sum + l * kVector), load(sum + (l + step) * kVector)));
    f(col, load(sum));
  }
}

}  // namespace

std::size_t reserve_sums(const Machine& m, West& west, int count) {
  if (m.place.shape.cols == 1) return west.reserve_words(count);
  const int columns = m.place.last_column() ? 1 : m.place.columns.count;
  std::size_t first = 0;
  for (int done = 0; done < count; done += kVector) {
    const std::size_t here = west.reserve(std::min(count - done, kVector), columns);
    if (!done) first = here;
  }
  return first;
}

void reduce_lanes(Machine& m, const float* const* slots, int count, float* to) {
  const bool last = m.place.last_column(), complete = m.place.shape.cols == 1;
  const int columns = m.place.columns.count;
  for (int done = 0; done < count; done += kVector) {
    const int some = std::min(count - done, kVector);
    V sum{};
    const auto add_column = [&](int col, V own) {
      sum = !last || col == columns - 1 ? own : add(sum, own);
      if (!last) store(to, sum), to += kVector;
    };
    if (columns == 1 && m.place.shape.lanes == 4 && slots[done + some - 1] == slots[done] + 4 * (some - 1))
      add_column(0, one_column(slots[done], some, kAll));
    else if (m.place.shape.lanes == 4)
      four_lanes(m, slots + done, some, add_column);
    else
      any_lanes(m, slots + done, some, add_column);
    if (complete)
      store(to, canonical_nan(sum), some), to += some;
    else if (last)
      store(to, sum), to += kVector;
  }
}

}  // namespace weft::model
