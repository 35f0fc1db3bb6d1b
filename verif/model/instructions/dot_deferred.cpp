/// Deferred dot products of several outputs at a time: a feature's tokens are widened once for all outputs.
#include <algorithm>
#include <array>
#include <bitset>
#include <cstring>

#include "verif/model/edge/west.hpp"
#include "verif/model/instructions/dots.hpp"
#include "verif/model/instructions/narrow_dots.hpp"
#include "verif/model/instructions/reduce_lanes.hpp"
#include "verif/model/machine/machine.hpp"

namespace weft::model {

namespace {

constexpr int kOutputs = DeferredDots::kOutputs;
#if defined(__AVX512F__)
constexpr int kFeatures = 24 / kOutputs;  // features processed together for each output
#else
constexpr int kFeatures = 8 / kOutputs;
#endif

/// Dot products of features x[0 .. Features) with the deltas of all outputs for a vector of lanes, stored at to[output]
/// + feature * width.
template <int Features, int... Is, int... Fs>
inline void block(const DeferredDots& l, const std::uint16_t* const* x, float* const* to, int at, int lanes, int width,
                  std::integer_sequence<int, Is...>, std::integer_sequence<int, Fs...>) {
  V sum[] = {(static_cast<void>(Is), V{})...};
  const std::uint32_t* dy[kOutputs];
  for (int o = 0; o < kOutputs; ++o) dy[o] = l.dy(static_cast<std::size_t>(o)) + at;
  int k = 0;
  const auto add = [&](int i, int last, auto alone) __attribute__((always_inline)) {
    const U v[] = {terms(alone, x[Fs] + at + i * width, x[Fs] + at + last * width)...};
    ((sum[Is] = fma_terms(v[Is % Features], load_words(dy[Is / Features] + k), sum[Is])), ...);
    k += width;
  };
  for_terms(l.beats, add);
  (store(to[Is / Features] + Is % Features * width + at, sum[Is], lanes), ...);
}
template <int Features>
inline void block(const DeferredDots& l, const std::uint16_t* const* x, float* const* to, int at, int lanes,
                  int width) {
  block<Features>(l, x, to, at, lanes, width, std::make_integer_sequence<int, kOutputs * Features>(),
                  std::make_integer_sequence<int, Features>());
}

/// Number of leading features common to all outputs.
std::size_t shared(const DeferredDots& l) {
  std::size_t n = l.outputs[0].n;
  for (const DeferredDots::Output& output : l.outputs) {
    n = std::min(n, output.n);
    const auto first = l.x().begin(), own = first + static_cast<std::ptrdiff_t>(output.first);
    n = static_cast<std::size_t>(std::mismatch(first, first + static_cast<std::ptrdiff_t>(n), own).first - first);
  }
  return n;
}

/// Sums of features from, from + 1, ... of outputs o, o + 1, ..., which have them in common, as many outputs at a time
/// as possible. A beat is narrow.
template <int Outputs = kOutputs>
void make_narrow(const DeferredDots& l, std::size_t o, std::size_t end, std::size_t from, std::size_t n, float* room) {
  for (; o + Outputs <= end; o += Outputs) {
    NarrowDots::Deltas<Outputs> dy;
    dy.beats = l.beats;
    float* to[Outputs];
    for (std::size_t k = 0; k < Outputs; ++k) {
      dy.of[k] = l.dy(o + k);
      to[k] = room + (l.outputs[o + k].first + from) * NarrowDots::kWidth;
    }
    NarrowDots::sums(dy, l.x().data() + l.outputs[o].first + from, static_cast<int>(n), to);
  }
  if constexpr (Outputs > 1)
    if (o < end) make_narrow<Outputs / 2>(l, o, end, from, n, room);
}
void make_narrow(const DeferredDots& l, float* room) {
  const std::size_t same = shared(l);
  make_narrow(l, 0, l.outputs.size(), 0, same, room);
  for (std::size_t o = 0; o < l.outputs.size(); ++o)
    if (l.outputs[o].n > same) make_narrow<1>(l, o, o + 1, same, l.outputs[o].n - same, room);
}

/// Computes the sums of all features, [feature of all outputs][col][lane].
void make(const DeferredDots& l, int width, float* room) {
  if (width == NarrowDots::kWidth && NarrowDots::kFeatures > 1) return make_narrow(l, room);
  const std::size_t same = l.full() ? shared(l) : 0;
  const auto sums = [&](std::size_t feature) { return room + feature * static_cast<std::size_t>(width); };
  for (std::size_t j = 0, some = kFeatures; j < same; j += some) {  // some features, read once for all columns
    some = j + kFeatures <= same ? kFeatures : 1;
    float* to[kOutputs];
    for (std::size_t o = 0; o < kOutputs; ++o) to[o] = sums(l.outputs[o].first + j);
    for_vectors(width, [&](int at, int lanes) {
      if (some == kFeatures)
        block<kFeatures>(l, l.x().data() + j, to, at, lanes, width);
      else
        block<1>(l, l.x().data() + j, to, at, lanes, width);
    });
  }
  for (std::size_t o = 0; o < l.outputs.size(); ++o)
    for (std::size_t j = same; j < l.outputs[o].n;) {
      const std::size_t first = l.outputs[o].first + j;
      const int n = static_cast<int>(std::min<std::size_t>(l.outputs[o].n - j, kSlots));
      for_vectors(width, [&](int at, int lanes) {
        V some[kSlots];
        Dots{l.x().data() + first, nullptr, l.dy(o), l.beats, width}.sums(n, at, some);
        for (int k = 0; k < n; ++k) store(sums(first) + k * width + at, some[k], lanes);
      });
      j += static_cast<std::size_t>(n);
    }
}

/// Leaves R as if each group had been computed in order: of groups that share slots, the last one wins.
void leave(Machine& m, const DeferredDots& l, const float* all_sums) {
  constexpr int kMask = machine::WaferShape::kRDepth - 1;
  const auto width = static_cast<std::size_t>(m.place.width());
  std::bitset<machine::WaferShape::kRDepth> left;
  std::array<const DeferredDots::Group*, 4> latest;  // groups that hide earlier ones
  std::size_t hiding = 0;
  for (std::size_t g = l.groups.size(); g-- > 0;) {
    const DeferredDots::Group& group = l.groups[g];
    const auto hides = [&](const auto* later) { return later->slots == group.slots && later->n >= group.n; };
    if (std::any_of(latest.begin(), latest.begin() + hiding, hides)) continue;
    if (hiding < latest.size()) latest[hiding++] = &group;
    const int n = static_cast<int>(group.n);
    const auto is_left = [&](int j) { return left[static_cast<std::size_t>((group.slots + j) & kMask)]; };
    for (int j = 0, end = 0; j < n; j = end) {  // entries that are neighbours in R together
      end = j + 1;
      if (is_left(j)) continue;
      while (end < n && !is_left(end) && ((group.slots + end) & kMask) != 0) ++end;
      for (int k = j; k < end; ++k) left.set(static_cast<std::size_t>((group.slots + k) & kMask));
      std::memcpy(m.accumulators.at(group.slots + j), all_sums + (group.first + static_cast<std::size_t>(j)) * width,
                  static_cast<std::size_t>(end - j) * width * sizeof(float));
      m.accumulators.computed(group.slots + j, end - j);
    }
  }
}

}  // namespace

void make_dots(Machine& m) {
  DeferredDots& l = m.deferred_dots;
  if (!l.any()) return;
  const auto width = static_cast<std::size_t>(m.place.width());
  float* const sums = m.scratch.sums(l.x().size() * width);
  make(l, m.place.width(), sums);
  for (const DeferredDots::Group& group : l.groups) {
    if (group.west == DeferredDots::kNowhere) continue;
    const float* slots[kSlots];
    for (std::size_t j = 0; j < group.n; ++j) slots[j] = sums + (group.first + j) * width;
    reduce_lanes(m, slots, static_cast<int>(group.n), l.west->sums(group.west));
  }
  leave(m, l, sums);
  l.clear();
  if (!m.precomputed_sums.any()) m.sram.unwatch();
}

}  // namespace weft::model
