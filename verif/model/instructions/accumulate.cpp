/// A vf that adds products to the same accumulators in every repetition: R[d] = fma(M[a], b, R[d]). Most vf of
/// attention have this form. The accumulators stay in registers from the first repetition to the last.
#include <utility>

#include "verif/model/instructions/vf.hpp"
#include "verif/model/numbers/numbers.hpp"
#include "verif/model/numbers/terms.hpp"

namespace weft::model {

using isa::ASel;
using isa::BSel;
using isa::CSel;
using isa::DSel;

namespace {

constexpr int kTogether = 8;  // vectors of accumulators

/// Operands of consecutive repetitions.
struct Operands {
  static constexpr int kSize = 64;
  int n = 0;
  const std::uint16_t* x[kSize];
  std::uint32_t scalar = 0;  ///< b = S
  const float* b = nullptr;  ///< b = MS, [n][width]
  int width = 0;
};

/// Accumulators of `lanes` lanes at acc[skip], acc[skip + stride], ...; with b = MS all of them share one b.
template <BSel B, int... Is>
inline void block(float* acc, const Operands& p, int skip, int stride, int lanes, int at,
                  std::integer_sequence<int, Is...>) {
  V sum[] = {load(acc + skip + stride * Is)...};
  const auto upper = [](const float* b) { return reinterpret_cast<U>(load(b)) >> 16; };
  const auto add = [&](int k, int last, auto alone) __attribute__((always_inline)) {
    const std::uint16_t *const x = p.x[k] + skip, *const y = p.x[last] + skip;
    U b = splat_word(weights(alone, p.scalar, p.scalar));
    if constexpr (B == BSel::MS) b = weights(alone, upper(p.b + k * p.width + at), upper(p.b + last * p.width + at));
    const auto product = [&](int i, V c) __attribute__((always_inline)) {
      return fma_terms(terms(alone, x + i, y + i), B == BSel::A ? weights(alone, x + i, y + i) : b, c);
    };
    ((sum[Is] = product(stride * Is, sum[Is])), ...);
  };
  for_terms(p.n, add);
  (store(acc + skip + stride * Is, sum[Is], lanes), ...);
}

/// Processes `count` such vectors, as many together as possible.
template <BSel B, int Together = kTogether>
inline void blocks(float* acc, const Operands& p, int skip, int stride, int count, int lanes, int at) {
  for (; count >= Together; count -= Together, skip += Together * stride)
    block<B>(acc, p, skip, stride, lanes, at, std::make_integer_sequence<int, Together>());
  if constexpr (Together > 1) blocks<B, Together / 2>(acc, p, skip, stride, count, lanes, at);
}

template <BSel B>
void add_products(float* acc, const Operands& p, int beats) {
  if constexpr (B == BSel::MS) {
    for_vectors(p.width, [&](int at, int lanes) { blocks<B>(acc, p, at, p.width, beats, lanes, at); });
  } else {
    const int size = beats * p.width, whole = size / kVector;
    blocks<B>(acc, p, 0, kVector, whole, kVector, 0);
    if (size % kVector) blocks<B>(acc, p, whole * kVector, kVector, 1, size % kVector, 0);
  }
}

}  // namespace

bool accumulates(const VectorOp& op) {
  const isa::Instr& in = op.in;
  const int d = op.rd & (machine::WaferShape::kRDepth - 1), c = op.rc & (machine::WaferShape::kRDepth - 1);
  return in.fn == isa::Fn::Fma && in.asel == ASel::M && in.bsel != BSel::R && in.csel == CSel::R &&
         in.dsel == DSel::R && d == c && (op.rep <= 1 || !(op.str & (machine::WaferShape::kRDepth - 1))) &&
         d + op.vl <= machine::WaferShape::kRDepth;
}

void accumulate(Machine& m, const VectorOp& op) {
  Operands p;
  p.width = m.place.width();
  if (op.in.bsel == BSel::S) p.scalar = op.rb;
  for (int k = 0; k < op.rep; k += p.n) {
    const int most = std::min(op.rep - k, Operands::kSize);
    const unsigned first = op.ra + unsigned(k) * op.sta, stride = op.sta;
    const auto x = [=](int j) { return static_cast<std::uint16_t>(first + unsigned(j) * stride); };
    p.n = m.sram.locate(most, op.vl, x, p.x);
    if (!p.n) p.x[p.n++] = m.sram.read(x(0), op.vl);  // not contiguous: alone
    if (op.in.bsel == BSel::MS) {
      p.b = m.scratch.b.data();
      for (int j = 0; j < p.n; ++j)
        memory_scalar(m, op.rb + unsigned(k + j) * op.stb, m.scratch.b.data() + j * p.width);
    }
    float* acc = m.accumulators.at(op.rd);
    if (op.in.bsel == BSel::S) add_products<BSel::S>(acc, p, op.vl);
    if (op.in.bsel == BSel::MS) add_products<BSel::MS>(acc, p, op.vl);
    if (op.in.bsel == BSel::A) add_products<BSel::A>(acc, p, op.vl);
  }
  if (op.rep) m.accumulators.computed(op.rd, op.vl);
}

}  // namespace weft::model
