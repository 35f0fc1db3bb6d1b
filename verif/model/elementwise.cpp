#include "verif/model/elementwise.hpp"

#include "verif/model/simd.hpp"

namespace weft::model {

namespace {

template <Operand::Kind K>
inline V fetch(const Operand& o, V value, int i) {
  if constexpr (K == Operand::kMemory) return load_bf16(static_cast<const std::uint16_t*>(o.from) + i);
  if constexpr (K == Operand::kFloats) return load(static_cast<const float*>(o.from) + i);
  return value;
}

template <isa::Fn F>
inline V apply(V a, V b, V c) {
  if constexpr (F == isa::Fn::Fma) return fma(a, b, c);
  if constexpr (F == isa::Fn::Max) return max(a * b, c);
  if constexpr (F == isa::Fn::Ge) return select(a * b >= c, splat(1), V{});
  if constexpr (F == isa::Fn::Sel) return select(a != V{}, b, c) + V{};
  // A table function.
  const H x = to_bf16(fma(a, b, c));
  const bf16* table = sfu_table(static_cast<weft::Fn>(static_cast<int>(F) - static_cast<int>(isa::Fn::Exp)));
  H y;
  for (int i = 0; i < kVector; ++i) y[i] = table[x[i]];
  return widen_raw(y);
}

template <isa::Fn F, Operand::Kind A, Operand::Kind B, Operand::Kind C>
void compute(const Operand& a, const Operand& b, const Operand& c, float* to_r, std::uint16_t* to_m, int size) {
  const V va = splat(a.value), vb = splat(b.value), vc = splat(c.value);
  const auto value = [=](int i) { return apply<F>(fetch<A>(a, va, i), fetch<B>(b, vb, i), fetch<C>(c, vc, i)); };
  if (to_m)
    for_vectors(size, [=](int i, int n) { store(to_m + i, to_bf16(value(i)), n); });
  else
    for_vectors(size, [=](int i, int n) { store(to_r + i, value(i), n); });
}

template <isa::Fn F, Operand::Kind A, Operand::Kind B>
Elementwise choose(Operand::Kind c) {
  return c == Operand::kFloats ? compute<F, A, B, Operand::kFloats> : compute<F, A, B, Operand::kScalar>;
}
template <isa::Fn F, Operand::Kind A>
Elementwise choose(Operand::Kind b, Operand::Kind c) {
  return b == Operand::kFloats ? choose<F, A, Operand::kFloats>(c) : choose<F, A, Operand::kScalar>(c);
}
template <isa::Fn F>
Elementwise choose(Operand::Kind a, Operand::Kind b, Operand::Kind c) {
  if (a == Operand::kMemory) return choose<F, Operand::kMemory>(b, c);
  return a == Operand::kFloats ? choose<F, Operand::kFloats>(b, c) : choose<F, Operand::kScalar>(b, c);
}

}  // namespace

Elementwise elementwise(isa::Fn fn, Operand::Kind a, Operand::Kind b, Operand::Kind c) {
  switch (fn) {
    case isa::Fn::Fma:
      return choose<isa::Fn::Fma>(a, b, c);
    case isa::Fn::Max:
      return choose<isa::Fn::Max>(a, b, c);
    case isa::Fn::Ge:
      return choose<isa::Fn::Ge>(a, b, c);
    case isa::Fn::Sel:
      return choose<isa::Fn::Sel>(a, b, c);
    case isa::Fn::Exp:
      return choose<isa::Fn::Exp>(a, b, c);
    case isa::Fn::Recip:
      return choose<isa::Fn::Recip>(a, b, c);
    case isa::Fn::Rsqrt:
      return choose<isa::Fn::Rsqrt>(a, b, c);
    default:
      return choose<isa::Fn::Tanh>(a, b, c);
  }
}

}  // namespace weft::model
