/// Samples in HDF5 whose labels are numbers, for a network that ends with squared_error.
#include "host/data/hdf5_numbers.hpp"

#include <bit>
#include <cmath>

#include "sw/base/refusal.hpp"
#include "sw/base/token_id.hpp"
#include "tests/data/hdf5_file.hpp"
#include "tests/says.hpp"
#include "tests/temporary_folder.hpp"

namespace weft::data {
namespace {

const float kNone = std::nanf("");

class Hdf5Numbers : public testing::Test {
 protected:
  std::string write(const std::vector<float>& labels, const std::vector<hsize_t>& shape,
                    const std::vector<std::int32_t>& ids = {1, 2, 3, 4, 5, 6}, std::uint64_t rows = 1,
                    const std::string& name = "a") {
    const std::string path = folder_ / (name + ".h5");
    write_hdf5(path, ids, 3, rows);
    add_hdf5_labels(path, labels, shape);
    return path;
  }
  std::string refusal(const std::string& path, int segments = 0) {
    try {
      load_hdf5_numbers({path}, 10, 3, segments);
    } catch (const Refusal& e) {
      return std::string(e.what()).substr(folder_.path().string().size() + 1);
    }
    return "no error";
  }

  const test::TemporaryFolder folder_;
};

TEST_F(Hdf5Numbers, ASampleHasOneOrOneForEachToken) {
  const auto word = [](float number) { return std::bit_cast<TokenId>(number); };
  const auto samples = load_hdf5_numbers({write({0.5F, -2}, {2})}, 10, 3);
  EXPECT_EQ(samples->size(), 2U);
  EXPECT_FALSE(samples->all_count());
  Batch batch;
  samples->append(1, batch);
  EXPECT_EQ(batch.inputs, (std::vector<TokenId>{4, 5, 6}));
  EXPECT_EQ(batch.labels, (std::vector<TokenId>{word(-2), kNoLabel, kNoLabel}));
  const std::uint32_t before = samples->checksum();
  const auto tokens = load_hdf5_numbers({write({1, kNone, 3}, {1, 3}, {1, 2, 3, 0, 1, 1}, 2, "b")}, 10, 3, 2);
  Batch other;
  tokens->append(0, other);
  EXPECT_EQ(other.inputs, (std::vector<TokenId>{1, with_segment(2, 1), with_segment(3, 1)}));
  EXPECT_EQ(other.labels, (std::vector<TokenId>{word(1), kNoLabel, word(3)}));
  EXPECT_NE(load_hdf5_numbers({write({0.5F, -3}, {2}, {1, 2, 3, 4, 5, 6}, 1, "c")}, 10, 3)->checksum(), before);
}

TEST_F(Hdf5Numbers, OtherLabelsAreRejected) {
  constexpr auto kHint = "HINT: give \"labels\" a number for each sample or for each token, NaN for none.";
  const std::string has = write({1, 2}, {2});
  EXPECT_EQ(refusal(has), "no error");
  write_hdf5(has, {1, 2, 3}, 3, 1);
  EXPECT_EQ(refusal(has), std::string("a.h5: has no data set \"labels\", and the network compares numbers. ") + kHint);
  EXPECT_EQ(refusal(write({1, 2, 3}, {3})),
            std::string("a.h5: \"labels\" has the shape [3], not [2] or [2, 3]. ") + kHint);
  EXPECT_EQ(refusal(write({1, INFINITY}, {2})),
            std::string("a.h5: label inf of sample 1, position 0, is not a finite number. ") + kHint);
  EXPECT_SAYS(refusal(write({1, kNone}, {2})),
              "sample 1 has no label that counts: \"labels\" is NaN. HINT: leave such");
  EXPECT_SAYS(refusal(write({1}, {1}, {1, 2, 3, 0, 1, 2}, 2)),
              "\"data\" has the shape [1, 2, 3], not [samples, 1, 3]. HINT: rows of a sample are ids and,");
  EXPECT_SAYS(refusal(write({1}, {1}, {1, 2, 3, 0, 1, 2}, 2), 2),
              "segment 2 of sample 0, position 2, is not below model.num_segments 2. HINT: use model.num_segments 3");
  EXPECT_SAYS(refusal(write({1}, {1}, {1, 10, 3})),
              "token 10 of sample 0, position 1, is not below model.vocab_size 10");
}

}  // namespace
}  // namespace weft::data
