/// Dropout: the random numbers that its masks are made of, and the kernel, compared with the masks in doubles.
#include "sw/compiler/model/dropout.hpp"

#include <array>
#include <bitset>
#include <cmath>
#include <vector>

#include "sw/base/philox.hpp"
#include "tests/compiler/micro_batch.hpp"
#include "tests/kernels/cases.hpp"

namespace weft::kernels {
namespace {

/// The known answers of Random123 (kat_vectors).
TEST(Philox, GivesTheKnownAnswers) {
  using Words = std::array<std::uint32_t, 4>;
  constexpr std::uint32_t kOnes = 0xffffffff;
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({kOnes, kOnes, kOnes, kOnes}, {kOnes, kOnes}),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(DropoutNumbers, DependOnSeedStepSampleAndPosition) {
  const compiler::DropoutNumbers one = compiler::token_numbers(1, 2, 3, 4);
  EXPECT_EQ(one, compiler::token_numbers(1, 2, 3, 4));
  for (const auto& other :
       {compiler::token_numbers(0, 2, 3, 4), compiler::token_numbers(1, 0, 3, 4), compiler::token_numbers(1, 2, 0, 4),
        compiler::token_numbers(1, 2, 3, 0), compiler::token_numbers(1 + (1ULL << 32), 2, 3, 4),
        compiler::token_numbers(1, 2 + (1ULL << 32), 3, 4)})
    EXPECT_NE(one, other);
}

/// Masks of `kTokens` tokens, as normalized values: 1 / sd and -1 / sd scaled to mean 0 and variance 1.
class Masks {
 public:
  static constexpr int kTokens = 4000;
  explicit Masks(double p) : p_(p), factors_(compiler::dropout_factors(p)) {
    for (int t = 0; t < kTokens; ++t) tokens_.push_back(compiler::token_numbers(1, t / 400, t / 20 % 20, t % 20));
  }
  std::vector<double> of(int site, int feature) const {
    const auto c = compiler::site_numbers(site), f = compiler::feature_numbers(feature);
    const double sd = std::sqrt(p_ * (1 - p_));
    std::vector<double> mask;
    for (const auto& token : tokens_)
      mask.push_back(((compiler::is_kept(factors_, compiler::dropout_number(token, c, f)) ? 1 : 0) - (1 - p_)) / sd);
    return mask;
  }

 private:
  double p_;
  compiler::DropoutFactors factors_;
  std::vector<compiler::DropoutNumbers> tokens_;
};

/// Means and correlations of independent masks have the deviation 1 / sqrt(tokens); those of 60 masks stay within five
/// of them, and are as far from 0 in the mean square as chance alone takes them.
TEST(DropoutNumbers, DropTheirPartIndependently) {
  for (const double p : {0.02, 0.1, 0.5, 0.9}) {
    SCOPED_TRACE(p);
    const Masks masks(p);
    std::vector<std::vector<double>> all;
    for (int site = 0; site < 3; ++site)
      for (int feature = 0; feature < 20; ++feature) all.push_back(masks.of(site, feature));
    const double unit = 1 / std::sqrt(Masks::kTokens);
    double squares = 0, of_means = 0;
    int pairs = 0;
    for (std::size_t a = 0; a < all.size(); ++a) {
      double mean = 0;
      for (const double x : all[a]) mean += x / Masks::kTokens;
      EXPECT_LT(std::abs(mean), 5 * unit) << "mask " << a;
      of_means += mean * mean;
      for (std::size_t b = 0; b < a; ++b, ++pairs) {
        double sum = 0;
        for (int t = 0; t < Masks::kTokens; ++t) sum += all[a][t] * all[b][t] / Masks::kTokens;
        EXPECT_LT(std::abs(sum), 5 * unit) << "masks " << a << " and " << b;
        squares += sum * sum;
      }
    }
    EXPECT_NEAR(std::sqrt(squares / pairs) / unit, 1, 0.1);
    EXPECT_NEAR(std::sqrt(of_means / static_cast<double>(all.size())) / unit, 1, 0.3);
  }
}

/// docs/explanation/dropout.md: about one pair of features in 100,000 is correlated. By chance, none of these is.
TEST(DropoutNumbers, CorrelateHardlyAnyFeatures) {
  constexpr int kFeatures = 800, kCorrelated = Masks::kTokens / 20;
  const Masks masks(0.5);
  std::vector<std::bitset<Masks::kTokens>> all(kFeatures);
  for (int f = 0; f < kFeatures; ++f) {
    const std::vector<double> mask = masks.of(0, f);
    for (int t = 0; t < Masks::kTokens; ++t) all[f][t] = mask[t] > 0;
  }
  int correlated = 0;
  for (int a = 0; a < kFeatures; ++a)
    for (int b = 0; b < a; ++b)
      correlated += std::abs(static_cast<int>((all[a] ^ all[b]).count()) - Masks::kTokens / 2) > kCorrelated ? 1 : 0;
  EXPECT_LE(correlated, 10) << "of " << kFeatures * (kFeatures - 1) / 2;
}

Case dropping(Case one) {
  one.model.residual_dropout = 0.3, one.model.embedding_dropout = 0.6, one.model.dropout_seed = 9;
  if (one.model.seq > 20) one.model.seq = 60;
  return one;
}

class Dropout : public testing::TestWithParam<Case> {
 protected:
  /// Checks that y is x with features dropped, and the others divided by 1 - p, plus `added`.
  void check(const std::string& op, const char* from, const char* to, double p, int site, bool adds = false) {
    SCOPED_TRACE(op);
    const auto array = [&](const char* name) { return stage.array(stage.spaces.hidden, stage.arrays.at(name)); };
    stage.before(op);
    const Array x = array(from), before = array(to);
    stage.step();
    const Array y = array(to);
    const auto c = compiler::site_numbers(site);
    const compiler::DropoutFactors factors = compiler::dropout_factors(p);
    const auto seq = static_cast<std::size_t>(stage.plan.model.seq);
    int kept = 0, dropped = 0;
    for (int token = 0; token < y.tokens; ++token) {
      if (!stage.counts(token)) continue;
      const auto at = static_cast<std::size_t>(stage.text(token));
      const auto numbers = compiler::token_numbers(9, compiler::kDropped.step, compiler::kDropped.first + at / seq,
                                                   static_cast<int>(at % seq));
      for (int f = 0; f < y.features; ++f) {
        const double base = adds ? before.at(token, f) : 0, value = x.at(token, f) / (1 - p);
        const bool keeps = is_kept(factors, compiler::dropout_number(numbers, c, compiler::feature_numbers(f)));
        ++(keeps ? kept : dropped);
        if (!keeps)
          EXPECT_EQ(y.at(token, f), base) << token << ", " << f;
        else
          EXPECT_NEAR(y.at(token, f), base + value, 0x1p-8 * (std::abs(value) + std::abs(base + value)));
      }
    }
    EXPECT_GT(kept, 0);
    EXPECT_GT(dropped, 0);
  }

  Stage stage{dropping(GetParam()).model, GetParam().wafer, GetParam().sequences};
};

TEST_P(Dropout, DropsByTheMasksOfTheDoubles) {
  check("embedding.dropout", "residual", "residual", 0.6, 0);
  check("h.0.attn.c_proj.dropout", "attn.c_proj.branch", "residual", 0.3, 1, true);
  check("h.0.mlp.c_proj.dropout.dx", "dresidual", "dmlp.c_proj.branch", 0.3, 2);
}

WEFT_KERNEL_CASES(Dropout);

}  // namespace
}  // namespace weft::kernels
