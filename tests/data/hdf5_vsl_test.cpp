/// Samples of several documents in HDF5 (variable sequence length): their marks, and rows that are rejected.
#include <functional>

#include "host/data/hdf5_samples.hpp"
#include "sw/base/token_id.hpp"
#include "tests/data/hdf5_file.hpp"
#include "tests/says.hpp"
#include "tests/temporary_folder.hpp"

namespace weft::data {
namespace {

using Values = std::vector<std::int32_t>;

/// Documents of 3 and 2 tokens, and padding of one: ids, mask, labels, attention_span, position_ids.
const Values kTwoDocuments = {4, 5, 6, 7, 8, 0, 1, 1, 0, 1, 1, 0, 5, 6, 7, 8, 9, 0, 2, 1, 0, 1, 0, 0, 0, 1, 2, 0, 1, 0};

class Hdf5Vsl : public testing::Test {
 protected:
  std::string write(const Values& sample, std::uint64_t rows = 5) {
    write_hdf5(folder_ / "a.h5", sample, 6, rows);
    return folder_ / "a.h5";
  }
  /// The error for a sample whose element `at` is `value`.
  std::string refusal(std::size_t at, std::int32_t value, std::uint64_t rows = 5) {
    Values sample = kTwoDocuments;
    sample[at] = value;
    if (rows != 5) sample.resize(rows * 6);
    try {
      Hdf5Samples({write(sample, rows)}, 10, 6, 0, 0, {compiler::Labels::Tokens}, true);
    } catch (const Refusal& e) {
      return std::string(e.what()).substr(folder_.path().string().size() + 1);
    }
    return "no error";
  }

  const test::TemporaryFolder folder_;
};

TEST_F(Hdf5Vsl, TheFirstTokenOfEachDocumentIsMarked) {
  const Hdf5Samples samples({write(kTwoDocuments)}, 10, 6, 0, 0, {compiler::Labels::Tokens}, true);
  Batch batch;
  samples.append(0, batch);
  EXPECT_EQ(batch.inputs, (std::vector<TokenId>{4 | kBeginsDocument, 5, 6, 7 | kBeginsDocument, 8, kBeginsDocument}));
  EXPECT_EQ(batch.labels, (std::vector<TokenId>{5, 6, kNoLabel, 8, 9, kNoLabel}));
}

TEST_F(Hdf5Vsl, SpansAndPositionsThatAreNotThoseOfDocumentsAreRejected) {
  constexpr std::size_t kSpans = 18, kPositions = 24;
  EXPECT_EQ(refusal(kSpans, 2), "no error");
  EXPECT_EQ(refusal(kSpans + 1, 2),  // a window, or a document that another one is part of
            "a.h5: attention_span 2 of sample 0, position 1, is not 1. HINT: position_ids count from 0 in each "
            "document, and attention_span down to 0.");
  EXPECT_SAYS(refusal(kSpans + 3, 3),
              "attention_span 3 of sample 0, position 3, is not from 0 to 2. HINT: position_ids");
  EXPECT_SAYS(refusal(kSpans, -1), "attention_span -1 of sample 0, position 0, is not from 0 to 5. HINT: position_ids");
  EXPECT_SAYS(refusal(kSpans, 5), "attention_span 1 of sample 0, position 1, is not 4. HINT: position_ids");
  EXPECT_SAYS(refusal(kPositions + 3, 3), "position_ids 3 of sample 0, position 3, is not 0. HINT: position_ids");
  EXPECT_SAYS(refusal(0, 4, 3), "has the shape [1, 3, 6], not [samples, 5, 6]. HINT: rows are ids, mask, labels,");
  EXPECT_SAYS(refusal(0, 10), "token 10 of sample 0, position 0, is not below model.vocab_size 10.");
}

}  // namespace
}  // namespace weft::data
