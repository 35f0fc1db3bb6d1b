#include "verif/model/numbers/elementwise.hpp"

#include "verif/model/numbers/simd.hpp"

namespace weft::model {

namespace {

enum class Kind { Memory, Floats, Rounded, Scalar };

Kind kind_a(const isa::Instr& in) {
  if (in.asel == isa::ASel::S) return Kind::Scalar;
  return in.asel == isa::ASel::OH ? Kind::Floats : Kind::Memory;
}
Kind kind_b(const isa::Instr& in) {
  if (in.bsel == isa::BSel::S) return Kind::Scalar;
  if (in.bsel == isa::BSel::A) return kind_a(in);
  if (second_is_b(in)) return Kind::Memory;
  return in.bsel == isa::BSel::R ? Kind::Rounded : Kind::Floats;
}
Kind kind_c(const isa::Instr& in) {
  if (second_is_c(in)) return Kind::Memory;
  if (in.csel == isa::CSel::A) return kind_a(in);
  return in.csel == isa::CSel::R ? Kind::Floats : Kind::Scalar;
}

template <Kind K>
inline V fetch(const Operand& o, V value, int i) {
  if constexpr (K == Kind::Memory) return load_bf16(static_cast<const std::uint16_t*>(o.from) + i);
  if constexpr (K == Kind::Floats) return load(static_cast<const float*>(o.from) + i);
  if constexpr (K == Kind::Rounded) return widen_raw(to_bf16(load(static_cast<const float*>(o.from) + i)));
  return value;
}

/// Operations of vf; all table functions are one kernel.
enum class Kernel { Fma, Max, Ge, Sel, Table };

/// Looks up table[x] for each element.
inline H look_up(const bf16* table, H x) {
#if defined(WEFT_AVX512)
  // Reads two bytes past each entry. The table's last entry is a NaN that is not canonical, so no x indexes it.
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
  if constexpr (F == Kernel::Max) return max(multiply(a, b), c);
  if constexpr (F == Kernel::Ge) return select(multiply(a, b) >= operand(c), splat(1), V{});
  if constexpr (F == Kernel::Sel) return add(select(operand(a) != V{}, b, c), V{});
  return widen_raw(look_up(table, to_bf16(fma(a, b, c))));
}

template <Kernel F, Kind A, Kind B, Kind C>
void compute(const Operand& a, const Operand& b, const Operand& c, const bf16* table, float* to_r, std::uint16_t* to_m,
             int size) {
  const V va = splat(a.value), vb = splat(b.value), vc = splat(c.value);
  const auto value = [&](int i) { return apply<F>(fetch<A>(a, va, i), fetch<B>(b, vb, i), fetch<C>(c, vc, i), table); };
  if (to_m)
    for_vectors(size, [&](int i, int n) { store(to_m + i, to_bf16(value(i)), n); });
  else
    for_vectors(size, [&](int i, int n) { store(to_r + i, value(i), n); });
}

// Chooses the specialization operand by operand.
template <Kernel F, Kind A, Kind B>
Elementwise choose(Kind c) {
  if (c == Kind::Memory) return compute<F, A, B, Kind::Memory>;
  return c == Kind::Floats ? compute<F, A, B, Kind::Floats> : compute<F, A, B, Kind::Scalar>;
}
template <Kernel F, Kind A>
Elementwise choose(Kind b, Kind c) {
  if (b == Kind::Memory) return choose<F, A, Kind::Memory>(c);
  if (b == Kind::Rounded) return choose<F, A, Kind::Rounded>(c);
  return b == Kind::Floats ? choose<F, A, Kind::Floats>(c) : choose<F, A, Kind::Scalar>(c);
}
template <Kernel F>
Elementwise choose(Kind a, Kind b, Kind c) {
  if (a == Kind::Memory) return choose<F, Kind::Memory>(b, c);
  return a == Kind::Floats ? choose<F, Kind::Floats>(b, c) : choose<F, Kind::Scalar>(b, c);
}

}  // namespace

Elementwise elementwise(const isa::Instr& in) {
  const Kind a = kind_a(in), b = kind_b(in), c = kind_c(in);
  switch (in.fn) {
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
  return sfu_table(static_cast<Fn>(static_cast<int>(fn) - static_cast<int>(isa::Fn::Exp)));
}

}  // namespace weft::model
