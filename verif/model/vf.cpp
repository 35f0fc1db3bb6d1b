/// vf: elementwise functions over whole vectors.
#include "verif/model/numbers.hpp"
#include "verif/model/row.hpp"
#include "verif/model/simd.hpp"

namespace weft::model {

using isa::ASel;
using isa::BSel;
using isa::CSel;
using isa::DSel;

namespace {

/// An operand's next vector: memory widened, floats as they are, or one value.
struct Operand {
  enum Kind { kMemory, kFloats, kScalar } kind = kScalar;
  const std::uint16_t* memory = nullptr;
  const float* floats = nullptr;
  V value{};
};
Operand from_memory(const std::uint16_t* p) { Operand o;
  o.kind = Operand::kMemory;
  o.memory = p;
  return o; }
Operand from_floats(const float* p) { Operand o;
  o.kind = Operand::kFloats;
  o.floats = p;
  return o; }
Operand from_register(std::uint16_t bits) {
  Operand o;
  o.value = splat(as_float(weft::widen(bits)));
  return o;
}

template <Operand::Kind K>
inline V fetch(const Operand& o, int i) {
  if constexpr (K == Operand::kMemory) return load_bf16(o.memory + i);
  if constexpr (K == Operand::kFloats) return load(o.floats + i);
  return o.value;
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
  const auto value = [&](int i) { return apply<F>(fetch<A>(a, i), fetch<B>(b, i), fetch<C>(c, i)); };
  if (to_m)
    for_vectors(size, [&](int i, int n) { store(to_m + i, to_bf16(value(i)), n); });
  else
    for_vectors(size, [&](int i, int n) { store(to_r + i, value(i), n); });
}

using Compute = void (*)(const Operand&, const Operand&, const Operand&, float*, std::uint16_t*, int);

template <isa::Fn F, Operand::Kind A, Operand::Kind B>
Compute choose(Operand::Kind c) {
  return c == Operand::kFloats ? compute<F, A, B, Operand::kFloats> : compute<F, A, B, Operand::kScalar>;
}
template <isa::Fn F, Operand::Kind A>
Compute choose(Operand::Kind b, Operand::Kind c) {
  return b == Operand::kFloats ? choose<F, A, Operand::kFloats>(c) : choose<F, A, Operand::kScalar>(c);
}
template <isa::Fn F>
Compute choose(Operand::Kind a, Operand::Kind b, Operand::Kind c) {
  if (a == Operand::kMemory) return choose<F, Operand::kMemory>(b, c);
  return a == Operand::kFloats ? choose<F, Operand::kFloats>(b, c) : choose<F, Operand::kScalar>(b, c);
}
Compute choose(isa::Fn fn, Operand::Kind a, Operand::Kind b, Operand::Kind c) {
  switch (fn) {
    case isa::Fn::Fma: return choose<isa::Fn::Fma>(a, b, c);
    case isa::Fn::Max: return choose<isa::Fn::Max>(a, b, c);
    case isa::Fn::Ge: return choose<isa::Fn::Ge>(a, b, c);
    case isa::Fn::Sel: return choose<isa::Fn::Sel>(a, b, c);
    case isa::Fn::Exp: return choose<isa::Fn::Exp>(a, b, c);
    case isa::Fn::Recip: return choose<isa::Fn::Recip>(a, b, c);
    case isa::Fn::Rsqrt: return choose<isa::Fn::Rsqrt>(a, b, c);
    default: return choose<isa::Fn::Tanh>(a, b, c);
  }
}

}  // namespace

bool Row::vf(const VectorOp& op) {
  const isa::Instr& in = op.in;
  if (in.asel > ASel::OH) fail(op.pc, "operand a has no such form");
  for (int k = 0; k < op.rep; ++k) {
    if (in.bsel == BSel::MS) memory_scalar(op.rb + k * op.stb, op.vl);
    if (vf_one_by_one(op, k))
      for (int i = 0; i < op.vl; ++i) vf_beats(op, k, i, 1);
    else
      vf_beats(op, k, 0, op.vl);
  }
  count(op.rep * op.vl, true);
  if (in.bsel == BSel::MS) count(op.rep, false);  // the fetches
  return true;
}

/// Whether a beat may read what an earlier beat of the same repetition writes, or the accumulator file's end is near.
bool Row::vf_one_by_one(const VectorOp& op, int k) const {
  const isa::Instr& in = op.in;
  const auto wraps = [&](std::uint16_t entry) { return (entry & 255) + op.vl > WaferShape::kRDepth; };
  const auto behind = [](int written, int read, int size) { return written > read && written < read + size; };
  const bool reads_b = in.bsel == BSel::R, reads_c = in.csel == CSel::R;
  if ((reads_b && wraps(op.rb)) || (reads_c && wraps(op.rc))) return true;
  if (in.dsel == DSel::R)
    return wraps(op.rd) || (reads_b && behind(op.rd & 255, op.rb & 255, op.vl)) ||
           (reads_c && behind(op.rd & 255, op.rc & 255, op.vl));
  const std::uint16_t a = op.ra + k * op.sta, d = op.rd + k * op.std;
  return in.asel != ASel::S && behind(d, a, op.vl * shape_.lanes);
}

/// Spreads a memory scalar of each column over b_.
void Row::memory_scalar(std::uint16_t address, int beats) {
  const int lane = address & (shape_.lanes - 1);
  const std::uint16_t* word = read(address - lane, 1);
  float* b = b_.data();
  for (int col = 0; col < shape_.cols; ++col)
    for (int l = 0; l < shape_.lanes; ++l)
      b[col * shape_.lanes + l] = as_float(weft::widen(word[col * shape_.lanes + lane]));
  for (int i = 1; i < beats; ++i) std::memcpy(b + i * width_, b, width_ * sizeof(float));
}

/// Beats first .. first + beats - 1 of repetition k, all read before any is written as far as it matters.
void Row::vf_beats(const VectorOp& op, int k, int first, int beats) {
  const isa::Instr& in = op.in;
  const int size = beats * width_;
  const std::uint16_t offset = first * shape_.lanes;
  Operand a, b, c;

  if (in.asel == ASel::S) {
    a = from_register(op.ra);
  } else {
    const std::uint16_t* m = read(op.ra + k * op.sta + offset, beats);
    a = from_memory(m);
    if (in.asel == ASel::OH || in.bsel == BSel::A || in.csel == CSel::A) {  // needed as floats
      for_vectors(size, [&](int i, int n) {
        store(a_.data() + i, in.asel == ASel::OH ? one_hot(m + i, op.idx) : load_bf16(m + i), n);
      });
      a = from_floats(a_.data());
    }
  }

  switch (in.bsel) {
    case BSel::S: b = from_register(op.rb); break;
    case BSel::R: {
      const float* entries = r(op.rb + first);
      for_vectors(size, [&](int i, int n) { store(b_.data() + i, widen_raw(to_bf16(load(entries + i))), n); });
      b = from_floats(b_.data());
      break;
    }
    case BSel::MS: b = from_floats(b_.data()); break;
    case BSel::A: b = a; break;
  }

  switch (in.csel) {
    case CSel::Z: break;
    case CSel::R: c = from_floats(r(op.rc + first)); break;
    case CSel::A: c = a; break;
    case CSel::S: c = from_register(op.rc); break;
  }

  const Compute f = choose(in.fn, a.kind, b.kind, c.kind);
  if (in.dsel == DSel::R)
    f(a, b, c, r(op.rd + first), nullptr, size);
  else
    f(a, b, c, nullptr, write(op.rd + k * op.std + offset, beats), size);
}

}  // namespace weft::model
