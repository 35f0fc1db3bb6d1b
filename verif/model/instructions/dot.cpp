/// vdot: the sparse gradient's dot products, up to sixteen indices at a time.
#include <utility>

#include "sw/machine/gather.hpp"
#include "sw/machine/message.hpp"
#include "verif/model/instructions/features.hpp"
#include "verif/model/instructions/instructions.hpp"
#include "verif/model/numbers.hpp"
#include "verif/model/simd.hpp"

namespace weft::model {

namespace {

constexpr int kGroup = kGroupMost;

constexpr int kTogether = 8;  // dot products that share the loads of dy

/// The x of some dot products. `index`: what one-hot compares with.
struct Features {
  const std::uint16_t* x[kGroup];
  std::uint16_t index[kGroup];
};

/// A vector of neighbouring lanes of the dot products j .. j + Is: over `beats` beats that lie `width` apart.
template <bool OneHot, int... Is>
inline void dots(const Features& f, int j, const float* dy, int at, int beats, int width, V* sums,
                 std::integer_sequence<int, Is...>) {
  V sum[] = {(static_cast<void>(Is), V{})...};
  for (int i = 0; i < beats; ++i, at += width) {
    const V y = load(dy + at);
    if constexpr (OneHot)
      ((sum[Is] = fma(one_hot(f.x[j + Is] + at, f.index[j + Is]), y, sum[Is])), ...);
    else
      ((sum[Is] = fma(load_bf16(f.x[j + Is] + at), y, sum[Is])), ...);
  }
  ((sums[j + Is] = sum[Is]), ...);
}

template <bool OneHot>
void group(const Features& f, int j, int n, const float* dy, int at, int beats, int width, V* sums) {
  for (; j + kTogether <= n; j += kTogether)
    dots<OneHot>(f, j, dy, at, beats, width, sums, std::make_integer_sequence<int, kTogether>());
  for (; j < n; ++j) dots<OneHot>(f, j, dy, at, beats, width, sums, std::make_integer_sequence<int, 1>());
}

/// The dot products of one group into its slots.
void dot(Machine& m, const VectorOp& op, std::span<const std::uint32_t> indices) {
  const bool one_hot = op.in.asel == isa::ASel::OH;
  const int n = static_cast<int>(indices.size()), slots = op.rd + m.mp.put_turn() * kGroup, width = m.place.width();
  Features f;
  for (int j = 0; j < n; ++j) f.index[j] = indices[static_cast<std::size_t>(j)] >> 16;
  if (one_hot && n) std::fill_n(f.x, n, m.memory.read(op.ra, op.vl));
  for (int done = 0, some = n; done < n; done += some) {
    if (!one_hot) some = find_features(m, op, f.index + done, n - done, f.x + done);
    for_vectors(width, [&](int at, int lanes) {
      V sums[kGroup];
      if (one_hot)
        group<true>(f, done, done + some, m.dy.data(), at, op.vl, width, sums);
      else
        group<false>(f, done, done + some, m.dy.data(), at, op.vl, width, sums);
      for (int j = done; j < done + some; ++j) store(m.accumulators.at(slots + j) + at, sums[j], lanes);
    });
  }
  m.accumulators.computed(slots, n);
}

/// What the output's deltas are for all groups: widened once.
void capture_dy(Machine& m, const VectorOp& op) {
  const int lanes = m.place.shape.lanes;
  const auto first = static_cast<std::uint16_t>(op.rb + m.pm.taken_turn() * op.vl * lanes);
  const std::uint16_t* from = m.memory.read(first, op.vl);
  float* to = m.dy.data();
  for_vectors(op.vl * m.place.width(), [&](int k, int n) { store(to + k, load_bf16(from + k), n); });
}

}  // namespace

Outcome vdot(Machine& m, VectorOp& op) {
  if (!m.pm.any()) return op.wait("an entry of PM");
  const auto most = static_cast<std::size_t>(full_group(op.rc));
  for (;;) {
    const auto run = m.w.run();
    const std::size_t n = std::min<std::size_t>(run.size(), most);
    const bool more = run.size() > n;
    const bool ends = !more && m.w.control_after(n);
    if (!more && !ends) return op.wait("an index or CR on W");
    if (!m.mp.room()) return op.wait("room in MP");
    if (n && !op.started) {
      capture_dy(m, op);
      op.started = true;
    }
    dot(m, op, run.first(n));
    m.count(static_cast<std::uint64_t>(op.vl) * n, true);
    m.w.drop(n);
    m.work.moved = true;
    m.mp.push({ends, static_cast<int>(n)});
    if (ends) break;
  }
  m.pm.pop();
  return end_of_stream(m, op);
}

}  // namespace weft::model
