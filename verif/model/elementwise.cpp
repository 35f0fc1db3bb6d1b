#include "verif/model/elementwise.hpp"

#include "verif/model/simd.hpp"

namespace weft::model {

namespace {

template <Operand::Kind K>
inline V fetch(const Operand& o, V value, int i) {
  if constexpr (K == Operand::kMemory) return load_bf16(static_cast<const std::uint16_t*>(o.from) + i);
  if constexpr (K == Operand::kFloats) return load(static_cast<const float*>(o.from) + i);
  if constexpr (K == Operand::kRounded) return widen_raw(to_bf16(load(static_cast<const float*>(o.from) + i)));
  return value;
}

/// What vf can do, with the table functions as one.
enum class Kernel { Fma, Max, Ge, Sel, Table };

/// table[x] of each element.
inline H look_up(const bf16* table, H x) {
#if defined(__AVX512F__)
  // Reads two bytes too many each: no x is the last one, a NaN that is not canonical.
  const auto at = reinterpret_cast<__m512i>(zero_extend(x));
  const __m512i found = _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), 0xffff, at, table, 2);
  return low_halves(reinterpret_cast<U>(found));
#else
  H y;
  for (int i = 0; i < kVector; ++i) y[i] = table[x[i]];
  return y;
#endif
}

template <Kernel F>
inline V apply(V a, V b, V c, const bf16* table) {
  if constexpr (F == Kernel::Fma) return fma(a, b, c);
  if constexpr (F == Kernel::Max) return max(a * b, c);
  if constexpr (F == Kernel::Ge) return select(a * b >= c, splat(1), V{});
  if constexpr (F == Kernel::Sel) return select(a != V{}, b, c) + V{};
  return widen_raw(look_up(table, to_bf16(fma(a, b, c))));
}

template <Kernel F, Operand::Kind A, Operand::Kind B, Operand::Kind C>
void compute(const Operand& a, const Operand& b, const Operand& c, const bf16* table, float* to_r, std::uint16_t* to_m,
             int size) {
  const V va = splat(a.value), vb = splat(b.value), vc = splat(c.value);
  const auto value = [=](int i) { return apply<F>(fetch<A>(a, va, i), fetch<B>(b, vb, i), fetch<C>(c, vc, i), table); };
  if (to_m)
    for_vectors(size, [=](int i, int n) { store(to_m + i, to_bf16(value(i)), n); });
  else
    for_vectors(size, [=](int i, int n) { store(to_r + i, value(i), n); });
}

// Chooses the operands one by one.
template <Kernel F, Operand::Kind A, Operand::Kind B>
Elementwise choose(Operand::Kind c) {
  if (c == Operand::kMemory) return compute<F, A, B, Operand::kMemory>;
  return c == Operand::kFloats ? compute<F, A, B, Operand::kFloats> : compute<F, A, B, Operand::kScalar>;
}
template <Kernel F, Operand::Kind A>
Elementwise choose(Operand::Kind b, Operand::Kind c) {
  if (b == Operand::kMemory) return choose<F, A, Operand::kMemory>(c);
  if (b == Operand::kRounded) return choose<F, A, Operand::kRounded>(c);
  return b == Operand::kFloats ? choose<F, A, Operand::kFloats>(c) : choose<F, A, Operand::kScalar>(c);
}
template <Kernel F>
Elementwise choose(Operand::Kind a, Operand::Kind b, Operand::Kind c) {
  if (a == Operand::kMemory) return choose<F, Operand::kMemory>(b, c);
  return a == Operand::kFloats ? choose<F, Operand::kFloats>(b, c) : choose<F, Operand::kScalar>(b, c);
}

}  // namespace

Elementwise elementwise(isa::Fn fn, Operand::Kind a, Operand::Kind b, Operand::Kind c) {
  switch (fn) {
    case isa::Fn::Fma:
      return choose<Kernel::Fma>(a, b, c);
    case isa::Fn::Max:
      return choose<Kernel::Max>(a, b, c);
    case isa::Fn::Ge:
      return choose<Kernel::Ge>(a, b, c);
    case isa::Fn::Sel:
      return choose<Kernel::Sel>(a, b, c);
    default:
      return choose<Kernel::Table>(a, b, c);
  }
}

const bf16* table_of(isa::Fn fn) {
  if (fn < isa::Fn::Exp) return nullptr;
  return sfu_table(static_cast<weft::Fn>(static_cast<int>(fn) - static_cast<int>(isa::Fn::Exp)));
}

}  // namespace weft::model
