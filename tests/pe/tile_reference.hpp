/// Vector instructions, one beat after another, in C++: the reference of the tile's tests.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "tests/pe/tile_grid.hpp"
#include "verif/model/numbers/numbers.hpp"

namespace weft::test {

/// A bf16 that is usually ordinary and sometimes special.
inline bf16 random_bf16(std::mt19937& rng) {
  static constexpr bf16 special[] = {0,      0x8000, 1,      0x8001, 0x7f80, 0xff80,
                                     0x7fc0, 0xffff, 0x3f80, 0xbf80, 0x7f7f, 0x0080};
  const auto r = rng();
  if (r % 16 == 0) return special[(r >> 8) % std::size(special)];
  return static_cast<bf16>((r >> 16 & 0x8000) | (0x3f80 + (r >> 8 & 0x3ff) - 0x200));
}
inline std::uint32_t random_fp32(std::mt19937& rng) {
  const std::uint32_t high = random_bf16(rng);
  return high << 16 | (rng() & 0xffff);
}

/// The state that vector instructions change.
struct Machine {
  std::vector<std::uint16_t> m = std::vector<std::uint16_t>(24576);  ///< [element]
  std::vector<std::array<std::uint32_t, kLanes>> r{256};             ///< [entry][lane]

  void randomize(std::mt19937& rng, int elements, int first = 0) {
    for (int i = first; i < first + elements; ++i) m[i] = random_bf16(rng);
    for (auto& e : r) {
      for (auto& v : e) v = random_fp32(rng);
    }
  }
};

/// Sets the tile's state, at once, with `elements` of memory from `first` on.
inline void put(TileGrid& g, const Machine& s, int elements, int first = 0) {
  for (int i = first; i < first + elements; ++i) g.poke(i, s.m[i]);
  for (int e = 0; e < 256; ++e) {
    for (int l = 0; l < kLanes; ++l) g.acc(e, l) = s.r[e][l];
  }
}

inline void expect_same(TileGrid& g, const Machine& s, int elements, const std::string& what, int first = 0) {
  for (int i = first; i < first + elements; ++i) ASSERT_EQ(g.mem(i), s.m[i]) << "element " << i << ": " << what;
  for (int e = 0; e < 256; ++e) {
    for (int l = 0; l < kLanes; ++l)
      ASSERT_EQ(g.acc(e, l), s.r[e][l]) << "entry " << e << ", lane " << l << ": " << what;
  }
}

/// One `vf` with its operands as captured.
struct Vf {
  std::string fn = "fma", a = "M", b = "S", c = "Z", d = "R";
  std::uint16_t ra = 0, rb = 0, rc = 0, rd = 0;
  int vl = 1, rep = 1;
  std::uint16_t sta = 0, stb = 0, std = 0, idx = 0, str = 0;

  std::string text(const std::string& rd_name, const std::string& ra_name, const std::string& rb_name,
                   const std::string& rc_name) const {
    auto operand = [](const std::string& kind, const std::string& reg) {
      return kind == "A" || kind == "Z" ? kind : kind + "[" + reg + "]";
    };
    return "vf." + fn + " " + operand(d, rd_name) + ", " + operand(a, ra_name) + ", " + operand(b, rb_name) + ", " +
           operand(c, rc_name) + "\n";
  }

  std::uint32_t value(bf16 av, bf16 bv, std::uint32_t cv) const {
    if (fn == "max") return model::max_bits(model::mul_bits(av, bv), cv);
    if (fn == "ge") return model::ge_bits(model::mul_bits(av, bv), cv);
    if (fn == "sel") return model::sel_bits(av, bv, cv);
    const std::uint32_t sum = model::fma_bits(av, bv, cv);
    if (fn == "fma") return sum;
    const model::Fn table = fn == "exp"     ? model::Fn::kExp
                            : fn == "recip" ? model::Fn::kRecip
                            : fn == "rsqrt" ? model::Fn::kRsqrt
                                            : model::Fn::kTanh;
    return static_cast<std::uint32_t>(model::sfu(table, to_bf16(sum))) << 16;
  }

  void run(Machine& s) const {
    auto at = [&](int address) -> std::uint16_t& { return s.m[static_cast<std::uint16_t>(address)]; };
    for (int k = 0; k < rep; ++k) {
      const bf16 scalar = b == "MS" ? at(rb + k * stb) : 0;
      for (int i = 0; i < vl; ++i) {
        std::array<std::uint32_t, kLanes> out;
        for (int l = 0; l < kLanes; ++l) {
          const std::uint16_t word = at(ra + k * sta + i * kLanes + l);
          const bf16 av = a == "S" ? ra : a == "M" ? word : word == idx ? 0x3f80 : 0;
          const bf16 bv = b == "S"    ? rb
                          : b == "MS" ? scalar
                          : b == "A"  ? av
                          : b == "M"  ? at(rb + k * stb + i * kLanes + l)
                                      : to_bf16(s.r[(rb + i) & 255][l]);
          const std::uint32_t cv = c == "Z"   ? 0
                                   : c == "R" ? s.r[(rc + k * str + i) & 255][l]
                                   : c == "A" ? static_cast<std::uint32_t>(av) << 16
                                   : c == "M" ? static_cast<std::uint32_t>(at(rc + k * stb + i * kLanes + l)) << 16
                                              : static_cast<std::uint32_t>(rc) << 16;
          out[l] = value(av, bv, cv);
        }
        for (int l = 0; l < kLanes; ++l) {
          if (d == "R")
            s.r[(rd + k * str + i) & 255][l] = out[l];
          else
            at(rd + k * std + i * kLanes + l) = to_bf16(out[l]);
        }
      }
    }
  }
};

}  // namespace weft::test
