/// vdot: the sparse gradient's dot products, up to sixteen indices at a time.
#include <utility>

#include "sw/machine/message.hpp"
#include "verif/model/numbers.hpp"
#include "verif/model/row.hpp"
#include "verif/model/simd.hpp"

namespace weft::model {

namespace {

constexpr int kGroup = 16;

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
void group(const Features& f, int n, const float* dy, int at, int beats, int width, V* sums) {
  int j = 0;
  for (; j + kTogether <= n; j += kTogether)
    dots<OneHot>(f, j, dy, at, beats, width, sums, std::make_integer_sequence<int, kTogether>());
  for (; j < n; ++j) dots<OneHot>(f, j, dy, at, beats, width, sums, std::make_integer_sequence<int, 1>());
}

}  // namespace

bool Row::vdot(VectorOp& op) {
  if (!pm_.any()) return wait(op, "an entry of PM");
  if (!op.started) {
    const int entry = op.rb + pm_.taken_parity() * op.vl;
    pieces(entry, op.vl, [&](int first, int beats) {
      const float* from = r(entry + first);
      float* to = dy_.data() + first * width_;
      for_vectors(beats * width_, [&](int k, int n) { store(to + k, widen_raw(to_bf16(load(from + k))), n); });
    });
    op.started = true;
  }
  for (;;) {
    const auto run = inbox.run();
    const std::size_t n = std::min<std::size_t>(run.size(), kGroup);
    const bool more = run.size() > n;
    const bool ends = !more && inbox.control_after(n);
    if (!more && !ends) return wait(op, "an index or CR on W");
    if (!mp_.room()) return wait(op, "room in MP");
    dot(op, run.first(n));
    count(op.vl * static_cast<int>(n), true);
    inbox.drop(n);
    moved_ = true;
    mp_.push({ends, static_cast<int>(n)});
    if (ends) break;
  }
  pm_.pop();
  return end_of_stream(op);
}

/// The dot products of one group into its slots.
void Row::dot(const VectorOp& op, std::span<const std::uint32_t> indices) {
  const bool one_hot = op.in.asel == isa::ASel::OH;
  const int n = static_cast<int>(indices.size()), slots = op.rd + mp_.put_parity() * kGroup;
  Features f;
  for (int j = 0; j < n; ++j) f.index[j] = indices[j] >> 16;
  if (one_hot)
    std::fill_n(f.x, n, read(op.ra, op.vl));
  else
    find_features(op, f.index, n, f.x);
  for_vectors(width_, [&](int at, int lanes) {
    V sums[kGroup];
    if (one_hot)
      group<true>(f, n, dy_.data(), at, op.vl, width_, sums);
    else
      group<false>(f, n, dy_.data(), at, op.vl, width_, sums);
    for (int j = 0; j < n; ++j) store(r(slots + j) + at, sums[j], lanes);
  });
}

}  // namespace weft::model
