/// Random programs of psum, and their expected effects.
#pragma once

#include <deque>
#include <random>
#include <string>
#include <vector>

#include "tests/pe/tile_reference.hpp"

namespace weft::test {

inline std::string li(int reg, int value) { return "li r" + std::to_string(reg) + ", " + std::to_string(value) + "\n"; }

/// psum's part of a random program, its effects on the machine, and the words it sends. Entries 128..159 and elements
/// 2048..2175 are psum's alone.
class PsumProgram {
 public:
  PsumProgram(std::mt19937& rng, Machine& machine) : rng_(rng), s_(machine) {}

  std::string run(int instructions) {
    for (int n = 0; n < instructions; ++n) {
      if (n % 6 == 0) {
        vl_ = 1 + below(3);
        text_ += li(9, vl_) + "csrw VL, r9\n";
      }
      if (below(4) == 0)
        broadcast();
      else
        stream();
    }
    return text_ + "halt\n";
  }
  std::vector<std::uint32_t> outlet;
  /// Address in r10: the first of vb's buffers.
  static constexpr int kDy = 2048 + 2 * kLanes;

 private:
  unsigned below(unsigned n) { return rng_() % n; }
  // Registers r1..r4 hold entries 128 + {0, 1, 2, 5}, r5..r8 elements 2048 + kLanes * those.
  static constexpr int kOffsets[] = {0, 1, 2, 5};
  static int entry(int r) { return 128 + kOffsets[r - 1]; }
  static int element(int r) { return 2048 + kLanes * kOffsets[r - 5]; }
  static std::string name(int r) { return "r" + std::to_string(r); }

  void send(bool west, std::uint32_t word) {
    if (west)
      outlet.push_back(word);
    else
      ring_.push_back(word);
  }

  /// vs. Sends to RING only if the next instruction takes the words.
  void stream() {
    const int own = 1 + below(4), d = 1 + below(4), dm = 5 + below(4);
    const bool in = !ring_.empty() && static_cast<int>(ring_.size()) == vl_ * kLanes;
    const bool west = in || below(2) == 0;
    const int kind = below(3), op = below(3);
    const char* ops[] = {"add", "max", "mov"};
    std::string t = std::string("vs.") + (in ? ops[op] : "mov");
    const bool reads = !in || op != 2;
    std::vector<std::string> fields;
    if (in) fields.push_back("in=RING");
    if (reads) fields.push_back("own=R[" + name(own) + "]");
    const bool out = !in || below(2);
    if (out) fields.push_back(west ? "out=WEST" : "out=RING");
    if (kind == 1) fields.push_back("dst=R[" + name(d) + "]");
    if (kind == 2) fields.push_back("dst=M[" + name(dm) + "]");
    for (std::size_t f = 0; f < fields.size(); ++f) t += (f ? ", " : " ") + fields[f];
    text_ += t + "\n";
    for (int i = 0; i < vl_; ++i) {
      for (int h = 0; h < kLanes / 2; ++h) {
        std::uint32_t v[2];
        for (int l = 0; l < 2; ++l) {
          const std::uint32_t o = s_.r[entry(own) + i][2 * h + l];
          v[l] = o;
          if (in) {
            const std::uint32_t w = ring_.front();
            ring_.pop_front();
            v[l] = op == 0 ? model::add_bits(w, o) : op == 1 ? model::max_bits(w, o) : w;
          }
        }
        for (int l = 0; l < 2; ++l) {
          if (out) send(west, v[l]);
          if (kind == 1) s_.r[entry(d) + i][2 * h + l] = v[l];
          if (kind == 2) s_.m[element(dm) + kLanes * i + 2 * h + l] = to_bf16(v[l]);
        }
      }
    }
    if (!ring_.empty()) stream();  // take it back at once
  }

  void broadcast() {
    if (++broadcasts_ > 2) return;  // PM has room for two entries, and no vdot takes them
    const int a = 5 + below(4);
    const bool out = below(2);
    text_ += "vb src=M[" + name(a) + "]" + (out ? ", out=WEST" : "") + ", dst=M[r10]\n";
    for (int i = 0; i < vl_; ++i) {
      if (out) {
        const std::uint16_t* x = &s_.m[element(a) + kLanes * i];
        for (int l = 0; l < kLanes; l += 2) outlet.push_back(x[l] | static_cast<std::uint32_t>(x[l + 1]) << 16);
      }
      for (int l = 0; l < kLanes; ++l)
        s_.m[kDy + kLanes * ((broadcasts_ - 1) * vl_ + i) + l] = to_bf16(widen(s_.m[element(a) + kLanes * i + l]));
    }
  }

  std::mt19937& rng_;
  Machine& s_;
  std::string text_;
  std::deque<std::uint32_t> ring_;
  int vl_ = 1, broadcasts_ = 0;
};

}  // namespace weft::test
