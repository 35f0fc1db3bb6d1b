/// Features with many non-zero weights are dealt to the rows first, so that rows have about as much to do.
#include "sw/compiler/loads.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "sw/compiler/memory_plan.hpp"
#include "sw/compiler/tensors.hpp"

namespace weft {
namespace {

const ModelShape kModel{.vocab = 23, .hidden = 24, .layers = 2, .heads = 6, .filter = 37, .seq = 8, .tied = false};

/// A model in which the later of two features always has more weights.
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
  const auto tensors = gpt2_tensors(kModel);
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
  const auto tensors = gpt2_tensors(kModel);
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
  const auto tensors = gpt2_tensors(kModel);
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

TEST(Loads, HeadsStayWholeAndEveryFeatureHasOnePlace) {
  const auto tensors = gpt2_tensors(kModel);
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
}  // namespace weft
