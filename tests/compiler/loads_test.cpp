/// Features with many non-zero weights are assigned to rows first, which balances the rows' work.
#include "sw/compiler/placement/loads.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "sw/compiler/memory/memory_plan.hpp"
#include "sw/compiler/model/tensors.hpp"

namespace weft::compiler {
namespace {

const ModelShape kModel{.vocab = 23, .hidden = 24, .layers = 2, .heads = 6, .filter = 37, .seq = 8, .tied = false};

/// A mask in which, of any two features, the later one has more weights.
std::vector<bool> rising(const std::vector<TensorInfo>& tensors) {
  std::mt19937 random(1);
  std::vector<bool> kept(parameter_count(tensors), true);
  for (const TensorInfo& t : tensors) {
    if (t.dims.size() != 2) continue;
    for (std::uint64_t k = 0; k < t.size; ++k) kept[t.offset + k] = random() % t.size < k;
  }
  return kept;
}

std::uint64_t load_of_row(const Space& space, const std::vector<std::uint64_t>& loads, int row) {
  std::uint64_t sum = 0;
  for (const int f : space.on_row(row)) sum += loads[static_cast<std::size_t>(f)];
  return sum;
}

TEST(Loads, CountEveryKeptWeightOnBothSides) {
  const auto tensors = model_tensors(kModel);
  const std::vector<bool> kept = rising(tensors);
  const Loads loads = count_loads(kModel, tensors, kept);
  std::uint64_t matrices = 0, counted = 0;
  for (const TensorInfo& t : tensors)
    for (std::uint64_t k = 0; k < t.size; ++k) matrices += t.dims.size() == 2 && kept[t.offset + k];
  for (const auto* space : {&loads.hidden, &loads.filter, &loads.vocab, &loads.head, &loads.position})
    for (const std::uint64_t load : *space) counted += load;
  EXPECT_EQ(counted, 2 * matrices);
  EXPECT_EQ(loads.position.size(), 8U);
  EXPECT_TRUE(count_loads(kModel, tensors, {}).hidden.empty());
}

TEST(Loads, ADenseModelKeepsTheOrderOfItsFeatures) {
  const auto tensors = model_tensors(kModel);
  const Spaces natural(kModel, 4),
      dense(kModel, 4, count_loads(kModel, tensors, std::vector<bool>(parameter_count(tensors), true)));
  for (int row = 0; row < 4; ++row) {
    EXPECT_EQ(natural.hidden.on_row(row), dense.hidden.on_row(row));
    EXPECT_EQ(natural.head.on_row(row), dense.head.on_row(row));
    EXPECT_EQ(natural.vocab.on_row(row), dense.vocab.on_row(row));
    for (const int f : natural.filter.on_row(row)) EXPECT_EQ(f % 4, row);
  }
}

TEST(Loads, RowsDifferByLessThanOneFeature) {
  const auto tensors = model_tensors(kModel);
  const Loads loads = count_loads(kModel, tensors, rising(tensors));
  for (const int rows : {1, 2, 3, 4, 5}) {
    const Spaces spaces(kModel, rows, loads);
    const auto check = [&](const Space& space, const std::vector<std::uint64_t>& of) {
      std::vector<std::uint64_t> sums;
      for (int row = 0; row < rows; ++row) sums.push_back(load_of_row(space, of, row));
      EXPECT_LE(*std::ranges::max_element(sums) - *std::ranges::min_element(sums), *std::ranges::max_element(of));
    };
    check(spaces.hidden, loads.hidden);
    check(spaces.filter, loads.filter);
    check(spaces.vocab, loads.vocab);
  }
}

/// Loads that fall as a power of the feature's rank, capped at the number of all weights.
std::vector<std::uint64_t> power_law(int features, double exponent, double factor) {
  std::vector<std::uint64_t> loads;
  for (int k = 1; k <= features; ++k)
    loads.push_back(static_cast<std::uint64_t>(6144 * std::min(1.0, factor * std::pow(k, -exponent))));
  std::shuffle(loads.begin(), loads.end(), std::mt19937(1));
  return loads;
}

/// In a round-robin assignment the first row gets the heaviest feature of every round.
TEST(Loads, RowsAreEvenIfFewFeaturesHaveMostOfThem) {
  for (const auto& [exponent, factor] : {std::pair{0.25, 0.66}, {0.5, 3.9}, {0.75, 20.0}, {1.0, 65.0}}) {
    SCOPED_TRACE(exponent);
    const auto loads = power_law(6144, exponent, factor);  // a tenth of all weights
    const Space interleaved = Space::interleaved(heaviest_first(6144, loads), 200),
                space = Space::by_load(6144, 200, loads);
    EXPECT_GT(interleaved.fullest_over_mean(loads), 1.05);
    EXPECT_LE(space.fullest_over_mean(loads), 1.05);
    EXPECT_EQ(space.slots(), interleaved.slots());
    std::vector<int> seen(6144);
    for (int row = 0; row < 200; ++row)
      for (int slot = 0; slot < space.count(row); ++slot) {
        const int f = space.on_row(row)[static_cast<std::size_t>(slot)];
        ++seen[static_cast<std::size_t>(f)];
        EXPECT_EQ(space.row(f), row);
        EXPECT_EQ(space.slot(f), slot);
      }
    EXPECT_EQ(seen, std::vector<int>(6144, 1));
  }
}

/// For random masks the placement stays round robin even if it is uneven, so that existing runs keep their placement.
TEST(Loads, ThoseOfARandomMaskAreInterleaved) {
  std::mt19937 random(1);
  std::vector<std::uint64_t> loads;
  for (int f = 0; f < 40; ++f) loads.push_back(2 + random() % 9);
  const Space interleaved = Space::interleaved(heaviest_first(40, loads), 10), space = Space::by_load(40, 10, loads);
  EXPECT_GT(interleaved.fullest_over_mean(loads), 1.05);
  for (int row = 0; row < 10; ++row) EXPECT_EQ(space.on_row(row), interleaved.on_row(row));
}

TEST(Loads, HeadsStayWholeAndEveryFeatureHasOnePlace) {
  const auto tensors = model_tensors(kModel);
  const Loads loads = count_loads(kModel, tensors, rising(tensors));
  const int dim = kModel.hidden / kModel.heads;
  for (const int rows : {1, 2, 4, 6, 13}) {
    const Space head = Spaces(kModel, rows, loads).head;
    std::vector<int> seen(24);
    for (int row = 0; row < rows; ++row) {
      for (int slot = 0; slot < head.count(row); ++slot) {
        const int f = head.on_row(row)[static_cast<std::size_t>(slot)];
        ++seen[static_cast<std::size_t>(f)];
        EXPECT_EQ(head.row(f), row);
        EXPECT_EQ(head.slot(f), slot);
        if (rows <= kModel.heads) {  // whole heads, one after the other
          EXPECT_EQ(f / dim, head.on_row(row)[static_cast<std::size_t>(slot / dim * dim)] / dim);
        }
      }
    }
    EXPECT_EQ(seen, std::vector<int>(24, 1));
  }
}

}  // namespace
}  // namespace weft::compiler
