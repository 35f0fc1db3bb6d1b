/// One tile's vector instructions, one lane at a time, directly from docs/reference/pe.md and in integer arithmetic.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "isa.hpp"
#include "verif/model/numbers/numbers.hpp"

namespace weft::test {

constexpr int kLanes = 4;

struct SlowTile {
  std::vector<std::uint16_t> m;
  std::array<std::array<std::uint32_t, kLanes>, 256> r{};

  /// Values of an instruction's registers and control registers.
  struct Operands {
    std::uint16_t rd = 0, ra = 0, rb = 0, rc = 0, vl = 1, rep = 1, sta = 0, stb = 0, std = 0, idx = 0, lmask = 0,
                  str = 0;
  };

  static std::uint32_t fn(isa::Fn f, bf16 a, bf16 b, std::uint32_t c) {
    switch (f) {
      case isa::Fn::Fma:
        return model::fma_bits(a, b, c);
      case isa::Fn::Max:
        return model::max_bits(model::mul_bits(a, b), c);
      case isa::Fn::Ge:
        return model::ge_bits(model::mul_bits(a, b), c);
      case isa::Fn::Sel:
        return model::sel_bits(a, b, c);
      default:
        return widen(model::sfu(static_cast<model::Fn>(static_cast<int>(f) - 4), to_bf16(model::fma_bits(a, b, c))));
    }
  }

  void vf(const isa::Instr& in, const Operands& o) {
    const bool two = in.asel == isa::ASel::MM, b_in_memory = two && in.bsel == isa::BSel::MS;
    for (int k = 0; k < o.rep; ++k) {
      const int second = (b_in_memory ? o.rb : o.rc) + k * o.stb, entries = k * o.str;
      const bf16 scalar = m.at(static_cast<std::uint16_t>(o.rb + k * o.stb) % m.size());
      for (int i = 0; i < o.vl; ++i) {
        std::array<std::uint32_t, kLanes> result;
        for (int l = 0; l < kLanes; ++l) {
          bf16 a = o.ra;
          if (in.asel != isa::ASel::S) a = m.at(o.ra + k * o.sta + i * kLanes + l);
          if (in.asel == isa::ASel::OH) a = a == o.idx ? 0x3f80 : 0;
          bf16 b = o.rb;
          if (in.bsel == isa::BSel::R) b = to_bf16(r[(o.rb + i) & 255][l]);
          if (in.bsel == isa::BSel::MS) b = b_in_memory ? m.at(second + i * kLanes + l) : scalar;
          if (in.bsel == isa::BSel::A) b = a;
          std::uint32_t c = 0;
          if (in.csel == isa::CSel::R) c = r[(o.rc + entries + i) & 255][l];
          if (in.csel == isa::CSel::A) c = widen(a);
          if (in.csel == isa::CSel::S) c = widen(o.rc);
          if (two && !b_in_memory) c = widen(m.at(second + i * kLanes + l));
          result[l] = fn(in.fn, a, b, c);
        }
        for (int l = 0; l < kLanes; ++l) {
          if (in.dsel == isa::DSel::R)
            r[(o.rd + entries + i) & 255][l] = result[l];
          else
            m.at(o.rd + k * o.std + i * kLanes + l) = to_bf16(result[l]);
        }
      }
    }
  }

  /// Operand x of a weight with this index.
  bf16 x(const isa::Instr& in, const Operands& o, std::uint16_t index, int i, int l) const {
    if (in.asel == isa::ASel::OH) return m.at(o.ra + i * kLanes + l) == index ? 0x3f80 : 0;
    return m.at(static_cast<std::uint16_t>(o.ra + (index & o.lmask) * o.sta) + i * kLanes + l);
  }

  void vaxs(const isa::Instr& in, const Operands& o, const std::vector<std::pair<int, bf16>>& weights) {
    for (const auto& [index, w] : weights)
      for (int i = 0; i < o.vl; ++i)
        for (int l = 0; l < kLanes; ++l) {
          auto& acc = r[(o.rd + i) & 255][l];
          acc = model::fma_bits(x(in, o, static_cast<std::uint16_t>(index), i, l), w, acc);
        }
  }

  /// The lane sum of one dot product of vdot with dy at `rb`.
  std::uint32_t dot(const isa::Instr& in, const Operands& o, std::uint16_t index, int rb) const {
    std::array<std::uint32_t, kLanes> s{};
    for (int i = 0; i < o.vl; ++i)
      for (int l = 0; l < kLanes; ++l)
        s[l] = model::fma_bits(x(in, o, index, i, l), m.at(rb + i * kLanes + l), i ? s[l] : 0);
    return model::add_bits(model::add_bits(s[0], s[1]), model::add_bits(s[2], s[3]));
  }
};

/// Random bf16 bits in which every special case is frequent.
template <class Rng>
bf16 any_bf16(Rng& rng) {
  constexpr bf16 kSpecial[] = {0, 0x8000, 0x7f80, 0xff80, 0x7fc0, 0xffc1, 0x7f81,
                               1, 0x8001, 0x7f,   0x80,   0x8080, 0x7f7f};
  if (rng.chance(10)) return kSpecial[rng.below(std::size(kSpecial))];
  if (rng.chance(20)) return static_cast<bf16>(rng.next());
  return static_cast<bf16>(rng.below(2) << 15 | (115 + rng.below(24)) << 7 | rng.below(128));
}

}  // namespace weft::test
