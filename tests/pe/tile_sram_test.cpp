// The end of SRAM: its size is an input; beyond it reads give zero and writes are dropped.
#include <gtest/gtest.h>

#include "tests/pe/stream_case.hpp"

namespace weft::test {
namespace {

constexpr int kBadAddress = 1 << 6, kMisaligned = 1 << 5;
constexpr int kBuilt = 48 * 512;  ///< elements of the tile under test

std::uint16_t pattern(int element) { return static_cast<std::uint16_t>(0x4000 + element % 251); }

/// A tile of `kib`, with all elements that are built filled.
struct Filled : TileGrid {
  explicit Filled(int kib) : TileGrid(1, 1, true, kib) {
    for (int i = 0; i < kBuilt; ++i) poke(i, pattern(i));
  }
  /// Elements that have changed, the first 100.
  std::vector<int> changed() {
    std::vector<int> list;
    for (int i = 0; i < kBuilt && list.size() < 100; ++i)
      if (mem(i) != pattern(i)) list.push_back(i);
    return list;
  }
};

/// Addresses of vectors beyond the end of `kib`.
std::vector<int> behind(int kib) {
  std::vector<int> list;
  for (int a : {kib * 512, kib * 512 + kLanes, kBuilt - kLanes, kBuilt, 32768, 32768 + 64, 40960, 65536 - kLanes})
    if (a >= kib * 512) list.push_back(a);
  return list;
}

std::string setup(int address) {
  return "li r1, " + std::to_string(address) + "\n mvp r1, r1\n li r2, 64\n mvp r2, r2\n li r3, 0x3f80\n" +
         csr("VL", 1) + csr("REP", 1);
}
std::string psum(const std::string& text) { return "fork P\n join\n halt\nP: " + csr("VL", 1) + text; }

TEST(Sram, WritesBehindTheEndAreLostAndFlagged) {
  for (int kib : {48, 20, 1}) {
    for (const std::string& text :
         {std::string("vf.fma M[r1], S[r3], S[r3], Z"), std::string("vf.exp M[r1], S[r3], S[r3], Z"),
          psum("vs.mov own=R[r0], dst=M[r1]"),
          psum("vs.mov own=R[r0], out=RING\n vs.add in=RING, own=R[r0], dst=M[r1]"), std::string()}) {
      for (int address : behind(kib)) {
        SCOPED_TRACE(std::to_string(kib) + " KiB, " + std::to_string(address) + ": " + text);
        Filled g(kib);
        if (text.empty()) {
          g.write(address, {1, 2});
        } else {
          g.program(setup(address) + text + "\n halt");
          g.call(0);
        }
        g.settle();
        EXPECT_EQ(g.changed(), std::vector<int>{});
        EXPECT_EQ(g.flags(), kBadAddress);
      }
    }
  }
}

TEST(Sram, ReadsBehindTheEndAreZeroAndFlagged) {
  const std::uint32_t one = as_bits(1.0f);
  struct Read {
    std::string text;
    std::uint32_t expect;  ///< in R[64], of vb in M[64], or, for a load, in r4
  };
  for (int kib : {48, 20, 1}) {
    for (const Read& read : {Read{"ld r4, r1, 0", 0}, Read{"vf.fma R[r2], M[r1], S[r3], Z", 0},
                             Read{"vf.fma R[r2], OH[r1], S[r3], Z", one}, Read{"vf.fma R[r2], S[r3], MS[r1], Z", 0},
                             Read{"vf.fma R[r2], M[r2], M[r1], Z", 0}, Read{"vf.fma R[r2], M[r2], S[r0], M[r1]", 0},
                             Read{"vaxs R[r2], M[r1]", 0}, Read{psum("vb src=M[r1], dst=M[r2]"), 0}}) {
      for (int address : behind(kib)) {
        SCOPED_TRACE(std::to_string(kib) + " KiB, " + std::to_string(address) + ": " + read.text);
        Filled g(kib);
        const bool weights = read.text.starts_with("vaxs");
        for (int l = 0; l < kLanes; ++l) g.acc(64, l) = weights ? 0 : 99;
        g.program("li r4, 77\n" + setup(address) + read.text + "\n halt");
        g.call(0);
        if (weights) g.weight(0, 0, 0x3f80), g.cr();
        g.settle();
        EXPECT_EQ(g.flags(), kBadAddress);
        if (read.text.starts_with("ld")) {
          EXPECT_EQ(g.reg(0, 4), 0);
          continue;
        }
        const bool to_memory = read.text.find("vb") != std::string::npos;
        for (int l = 0; l < kLanes; ++l) EXPECT_EQ(to_memory ? g.mem(64 + l) : g.acc(64, l), read.expect);
      }
    }
  }
}

TEST(Sram, TheLastVectorIsThere) {
  for (int kib : {48, 20, 1}) {
    Filled g(kib);
    const int last = kib * 512 - kLanes;
    g.program(setup(last) + "ld r4, r1, " + std::to_string(kLanes - 1) +
              "\n vf.fma M[r1], M[r1], S[r3], Z\n vf.fma R[r2], M[r1], S[r3], Z\n halt");
    g.call(0);
    g.write(kib * 512 - 1, {5});
    g.settle();
    EXPECT_EQ(g.flags(), 0);
    EXPECT_EQ(g.reg(0, 4), pattern(kib * 512 - 1));
    EXPECT_EQ(g.acc(64, 0), std::uint32_t{pattern(last)} << 16);
    EXPECT_EQ(g.mem(kib * 512 - 1), 5);
  }
}

TEST(Sram, MoreThanIsBuiltCountsAsWhatIsBuilt) {
  Filled g(128);
  g.write(kBuilt - 1, {5});
  g.settle();
  EXPECT_EQ(g.flags(), 0);
  EXPECT_EQ(g.mem(kBuilt - 1), 5);
  g.write(kBuilt, {6});
  g.write(32768, {7});
  g.settle();
  EXPECT_EQ(g.flags(), kBadAddress);
  EXPECT_EQ(g.changed(), std::vector<int>{kBuilt - 1});
}

// Each beat's address is checked separately, modulo 2^16.
TEST(Sram, AddressesWrapAt65536) {
  Filled g(48);
  g.program(setup(65536 - kLanes) + csr("VL", 2) + "vf.fma M[r1], S[r3], S[r3], Z\n halt");
  g.call(0);
  g.settle();
  std::vector<int> first(kLanes);
  for (int l = 0; l < kLanes; ++l) first[l] = l;
  EXPECT_EQ(g.changed(), first);
  EXPECT_EQ(g.flags(), kBadAddress);

  Filled h(48);  // load: 65535 + 3 = 2
  h.program(setup(65535) + "ld r4, r1, 3\n halt");
  h.call(0);
  h.settle();
  EXPECT_EQ(h.reg(0, 4), pattern(2));
  EXPECT_EQ(h.flags(), 0);
}

TEST(Sram, MisalignedVectorsAreRoundedDownAlsoAtTheEnd) {
  Filled g(48);
  g.program(setup(kBuilt - 1) + "vf.fma M[r1], M[r1], S[r3], Z\n halt");
  g.call(0);
  g.settle();
  EXPECT_EQ(g.flags(), kMisaligned);
  EXPECT_EQ(g.changed(), std::vector<int>{});
}

}  // namespace
}  // namespace weft::test
