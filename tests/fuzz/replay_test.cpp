/// Each target's seeds and thousands of damaged copies, without a fuzzer.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "tests/fuzz/target.hpp"
#include "tests/random.hpp"

namespace weft::fuzz {
namespace {

class Fuzz : public testing::TestWithParam<Target> {
 protected:
  std::vector<std::string> seeds() const { return GetParam().seeds(); }

  void read(const std::string& text) const {
    GetParam().read({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  }

  void read_cut_short(std::size_t count) const;
  void read_damaged(int count) const;
};

class FuzzLong : public Fuzz {};

TEST_P(Fuzz, ReadsItsSeeds) {
  ASSERT_FALSE(seeds().empty());
  for (const std::string& seed : seeds()) read(seed);
  read("");
}

/// About `count` beginnings of each seed.
void Fuzz::read_cut_short(std::size_t count) const {
  for (const std::string& seed : seeds()) {
    const std::size_t step = seed.size() / count + 1;
    for (std::size_t size = 0; size < seed.size(); size += step) read(seed.substr(0, size));
  }
}

/// `count` seeds with bytes changed, pieces removed, duplicated, or spliced in from another seed.
void Fuzz::read_damaged(int count) const {
  const std::vector<std::string> all = seeds();
  test::Rng rng(test::test_seed());
  const auto below = [&](std::size_t n) { return rng.below(static_cast<std::uint32_t>(n)); };
  for (int n = 0; n < count; ++n) {
    std::string text = all[below(all.size())];
    for (auto changes = 1 + below(4); changes > 0; --changes) {
      const std::size_t at = below(text.size() + 1), size = below(std::min<std::size_t>(text.size() - at, 40) + 1);
      const std::string& other = all[below(all.size())];
      switch (below(4)) {
        case 0:
          if (at < text.size()) text[at] = static_cast<char>(rng.chance(50) ? text[at] ^ 1 << below(8) : below(256));
          break;
        case 1:
          text.erase(at, size);
          break;
        case 2:
          text.insert(at, std::string(text, at, size));
          break;
        default:
          text.insert(at, std::string(other, below(other.size() + 1), size));
      }
    }
    read(text);
  }
  // The files are small, so memory use must be, whatever sizes they claim.
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  EXPECT_LT(usage.ru_maxrss, 1 << 20) << "KiB of memory at most";
}

TEST_P(Fuzz, ReadsSeedsCutShortAnywhere) { read_cut_short(40); }
TEST_P(Fuzz, ReadsDamagedSeeds) { read_damaged(300); }
TEST_P(FuzzLong, ReadsSeedsCutShortAnywhere) { read_cut_short(400); }
TEST_P(FuzzLong, ReadsDamagedSeeds) { read_damaged(3000); }

std::string name_of(const testing::TestParamInfo<Target>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(Each, Fuzz, testing::ValuesIn(targets()), name_of);
INSTANTIATE_TEST_SUITE_P(Each, FuzzLong, testing::ValuesIn(targets()), name_of);

}  // namespace
}  // namespace weft::fuzz
