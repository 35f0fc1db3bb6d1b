/// vaxs and vcr: the sparse GEMM.
///
/// The accumulators of a row are VL * width neighbouring floats. They are worked on in blocks that stay in registers
/// over many weights.
#include <utility>

#include "sw/machine/message.hpp"
#include "verif/model/instructions/features.hpp"
#include "verif/model/instructions/instructions.hpp"
#include "verif/model/numbers.hpp"
#include "verif/model/simd.hpp"

namespace weft::model {

namespace {

#if defined(__AVX512F__)
constexpr int kMaxBlock = 16;  // vectors of accumulators
#else
constexpr int kMaxBlock = 8;
#endif

/// Weights looked at together, with the places of their features in memory.
struct Batch {
  static constexpr int kSize = 256;
  int n = 0;
  const std::uint16_t* x[kSize];
  std::uint16_t index[kSize];
  float w[kSize];
};

/// acc[0 .. kVector * Is) = fma(x, w, acc), weight after weight; the x begin `skip` elements in.
template <bool OneHot, int... Is>
inline void block(float* acc, const Batch& batch, int skip, std::integer_sequence<int, Is...>) {
  V sum[] = {load(acc + kVector * Is)...};
  for (int j = 0; j < batch.n; ++j) {
    const std::uint16_t* x = batch.x[j] + skip;
    const V w = splat(batch.w[j]);
    if constexpr (OneHot)
      ((sum[Is] = fma(one_hot(x + kVector * Is, batch.index[j]), w, sum[Is])), ...);
    else
      ((sum[Is] = fma(load_bf16(x + kVector * Is), w, sum[Is])), ...);
  }
  (store(acc + kVector * Is, sum[Is]), ...);
}

/// As many of the largest blocks as fit, then halves of them, then what is left of a vector.
template <bool OneHot, int Vectors = kMaxBlock>
inline void blocks(float* acc, const Batch& batch, int skip, int size) {
  for (; size >= Vectors * kVector; size -= Vectors * kVector) {
    block<OneHot>(acc, batch, skip, std::make_integer_sequence<int, Vectors>());
    acc += Vectors * kVector;
    skip += Vectors * kVector;
  }
  if constexpr (Vectors > 1) {
    blocks<OneHot, Vectors / 2>(acc, batch, skip, size);
  } else if (size) {
    float part[kVector] = {};
    std::memcpy(part, acc, size * sizeof(float));
    block<OneHot>(part, batch, skip, std::make_integer_sequence<int, 1>());
    std::memcpy(acc, part, size * sizeof(float));
  }
}

}  // namespace

/// The dot product's and the axpy's stream ends: takes the CR, if it is next.
Outcome end_of_stream(Machine& m, VectorOp& op) {
  if (!m.w.control()) return op.wait("a weight or CR on W");
  m.work.w_came();
  if (m.w.take_control() >> 24 != static_cast<unsigned>(Command::CR)) m.flags.set(isa::Flag::BadCommand);
  return Outcome::Done;
}

/// Finds the x of some indices, until one is not in one piece, which is then the only one. Returns how many.
int find_features(Machine& m, const VectorOp& op, const std::uint16_t* index, int n, const std::uint16_t** x) {
  const unsigned base = op.ra, stride = op.sta, mask = op.lmask;
  const auto address = [=](int j) { return static_cast<std::uint16_t>(base + (index[j] & mask) * stride); };
  const int found = m.memory.locate(n, op.vl, address, x);
  if (found) return found;
  x[0] = m.memory.read(address(0), op.vl);
  return 1;
}

namespace {

/// The accumulators' first entry.
int accumulators_of(const Machine& m, const VectorOp& op) { return op.rd + (op.in.turn ? m.mp.put_turn() * op.vl : 0); }

void axpy(Machine& m, const VectorOp& op, std::span<const std::uint32_t> weights) {
  const int rd = accumulators_of(m, op);
  const bool one_hot = op.in.asel == isa::ASel::OH;
  const std::uint16_t* fixed = one_hot ? m.memory.read(op.ra, op.vl) : nullptr;
  const int width = m.place.width();
  bool fresh = op.in.turn && !m.mp.filled;
  Batch batch;
  while (!weights.empty()) {
    batch.n = static_cast<int>(std::min<std::size_t>(weights.size(), Batch::kSize));
    for (int j = 0; j < batch.n; ++j) {
      batch.w[j] = as_float(weights[j] << 16);
      batch.index[j] = weights[j] >> 16;
    }
    if (one_hot)
      std::fill_n(batch.x, batch.n, fixed);
    else
      batch.n = find_features(m, op, batch.index, batch.n, batch.x);
    Accumulators::pieces(rd, op.vl, [&](int first, int beats) {
      float* acc = m.accumulators.at(rd + first);
      if (fresh) std::fill_n(acc, beats * width, 0.0F);
      if (one_hot)
        blocks<true>(acc, batch, first * width, beats * width);
      else
        blocks<false>(acc, batch, first * width, beats * width);
    });
    weights = weights.subspan(static_cast<std::size_t>(batch.n));
    fresh = false;
  }
  if (op.in.turn) m.mp.filled = true;
  m.accumulators.computed(rd, op.vl);
}

}  // namespace

/// op.started: its stream has ended, and it waits for room in MP.
Outcome vaxs(Machine& m, VectorOp& op) {
  const auto weights = op.started ? std::span<const std::uint32_t>() : m.w.run();
  if (!weights.empty()) {
    axpy(m, op, weights);
    m.count(static_cast<std::uint64_t>(op.vl) * weights.size(), true);
    m.w.drop(weights.size());
    m.work.moved = true;
  }
  if (!op.started) {
    const Outcome end = end_of_stream(m, op);
    if (end != Outcome::Done || !op.in.put) return end;
    op.started = m.work.moved = true;
  }
  if (!m.mp.room()) return op.wait("room in MP");
  m.mp.push({.last = true, .count = 0, .empty = !m.mp.filled});
  return Outcome::Done;
}

Outcome vcr(Machine& m, VectorOp& op) {
  if (!m.mp.room()) return op.wait("room in MP");
  const int to = op.rd + m.mp.put_turn() * op.vl, width = m.place.width();
  constexpr int kDepth = WaferShape::kRDepth;
  const int from_entry = op.rc & (kDepth - 1), to_entry = to & (kDepth - 1);
  const bool apart = std::max(from_entry, to_entry) + op.vl <= kDepth && std::abs(from_entry - to_entry) >= op.vl;
  const int together = apart ? op.vl : 1;  // beats
  for (int i = 0; i < op.vl; i += together) {
    float* acc = m.accumulators.at(op.rc + i);
    const std::size_t bytes = static_cast<std::size_t>(together * width) * sizeof(float);
    std::memmove(m.accumulators.at(to + i), acc, bytes);
    std::memset(acc, 0, bytes);
  }
  m.mp.push({true, 0});
  m.count(2 * static_cast<std::uint64_t>(op.vl), false);
  return Outcome::Done;
}

}  // namespace weft::model
