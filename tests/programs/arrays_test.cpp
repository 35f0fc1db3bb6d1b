/// Arrays to and from tiles.
#include "sw/base/bf16.hpp"
#include "tests/programs/example.hpp"

namespace weft::programs {
namespace {

constexpr const char* kArrays = R"(
.array  a, bf16, N
.array  b, int16, 3
.array  c, fp32, N
.array  size, bf16, 1
.equ    one, 3                      ; the names of the transfers' routines are no names of the program
.kernel double
        li    r1, N
        shr   r1, r1, 2             ; LANES is 4
        csrw  VL, r1
        li    r1, 1
        csrw  REP, r1
        li    r1, a
        li    r2, bf16(2)
        vf.fma M[r1], M[r1], S[r2], Z
        halt
)";

std::vector<std::int16_t> integers(int n, test::Rng& rng) {
  std::vector<std::int16_t> values(static_cast<std::size_t>(n));
  for (auto& value : values) value = static_cast<std::int16_t>(rng.next());
  return values;
}

TEST(ProgramArrays, ComeBackAsTheyWereSet) {
  test::Rng rng(test::test_seed());
  for (const char* backend : kBackends)
    for (const int n : {1, 50, 256}) {
      Session wafer(mesh(2, 3), backend, 1);
      wafer.load(layout_of(kArrays, {}, {{"N", n}}));
      std::vector<float> a, c;
      for (int i = 0; i < 6 * n; ++i) {
        a.push_back(as_float(static_cast<std::uint32_t>(to_bf16(static_cast<std::uint32_t>(rng.next()))) << 16));
        c.push_back(static_cast<float>(static_cast<int>(rng.next())) * 0x1p-40F);
      }
      c[0] = -1e30F, c[static_cast<std::size_t>(n)] = 0;
      const std::vector<std::int16_t> b = integers(18, rng);
      wafer.set("a", a);
      wafer.set("b", b);
      wafer.set("c", c);
      EXPECT_EQ(wafer.floats("c"), c) << backend << n;
      EXPECT_EQ(wafer.integers("b"), b);
      const std::vector<float> back = wafer.floats("a");
      for (std::size_t i = 0; i < a.size(); ++i) ASSERT_EQ(as_bits(back[i]), as_bits(a[i])) << i;
    }
}

TEST(ProgramArrays, AreWhatKernelsCompute) {
  for (const char* backend : kBackends) {
    Session wafer(mesh(2, 2), backend, 1);
    wafer.load(layout_of(kArrays, {}, {{"N", 32}}));
    std::vector<float> a(128);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i);
    wafer.set("a", a);
    const std::optional<Counts> run = wafer.run("double", {}, true);
    ASSERT_TRUE(run);
    EXPECT_EQ(run->beats, 4U * 8);
    EXPECT_EQ(run->multiply_adds, 4U * 8 * 4);
    EXPECT_EQ(wafer.tile_beats(), std::vector<std::uint64_t>(4, 8));
    EXPECT_EQ(run->cycles > 0, std::string(backend) == "rtl");
    for (float& x : a) x *= 2;
    EXPECT_EQ(wafer.floats("a"), a) << backend;
  }
}

TEST(ProgramArrays, TransfersShowProgressAndCanBeInterrupted) {
  const Layout layout = layout_of(".array a, bf16, 1500\n.kernel main\n halt\n");
  for (const char* backend : kBackends) {
    Session wafer(mesh(2, 2), backend, 1);
    std::vector<Progress> seen;
    wafer.observe([&](const Progress& progress) {
      seen.push_back(progress);
      return false;
    });
    wafer.load(layout);
    const std::vector<float> a(6000, 1.5F);
    seen.clear();
    wafer.set("a", a);
    ASSERT_FALSE(seen.empty());
    EXPECT_EQ(seen[0].what, "a");
    EXPECT_EQ(seen[0].done, 4096U);
    EXPECT_GT(seen[0].all, 6000U);
    EXPECT_EQ(wafer.floats("a"), a);
    wafer.observe([](const Progress&) { return true; });
    EXPECT_EQ(refusal_of([&] { wafer.set("a", a); }), "a: was interrupted. HINT: load the layout again to go on.");
    EXPECT_EQ(refusal_of([&] { wafer.set("a", a); }), "wafer: its last run did not end. HINT: load the layout again.");
    wafer.observe({});
    wafer.load(layout);
    EXPECT_EQ(wafer.floats("a").size(), 6000U);
  }
}

}  // namespace
}  // namespace weft::programs
