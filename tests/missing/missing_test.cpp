/// A program that is built without optional libraries rejects files that need them, and says how to add the library.
#include <gtest/gtest.h>

#include "host/data/hdf5_samples.hpp"
#include "host/tokenizer/sentence_piece.hpp"
#include "host/tokenizer/splitter.hpp"
#include "host/tokenizer/unicode/normal_form.hpp"
#include "sw/base/refusal.hpp"

namespace weft::test {
namespace {

template <class Load>
std::string rejected(const Load& load) {
  try {
    load();
  } catch (const Refusal& e) {
    return e.what();
  }
  return "nothing is rejected";
}

TEST(MissingLibrary, SamplesInHdf5AreRejectedByName) {
  EXPECT_EQ(rejected([] {
              data::load_hdf5_samples({"d/a.h5", "d/b.h5"}, 10, 2);
            }),
            "d/a.h5: is an HDF5 file, which needs libhdf5, and this weft was built without it. HINT: make build "
            "installs libhdf5 and adds it to weft.");
}

TEST(MissingLibrary, SentencePieceModelsAreRejected) {
  EXPECT_EQ(rejected([] { tokenizer::make_sentence_piece("contents"); }),
            "is a SentencePiece model, which needs libsentencepiece, and this weft was built without it. HINT: make "
            "build installs libsentencepiece and adds it to weft.");
}

TEST(MissingLibrary, PatternsAreRejectedExceptThatOfGpt2) {
  EXPECT_EQ(rejected([] { tokenizer::make_splitter({R"(\d)"}); }),
            R"(its pattern \d needs libpcre2, and this weft was built without it. HINT: make build installs libpcre2 )"
            "and adds it to weft.");
  std::vector<std::uint32_t> ends;
  tokenizer::make_splitter({std::string(tokenizer::kGpt2Pattern)})->split("the wafer", ends);
  EXPECT_EQ(ends, (std::vector<std::uint32_t>{3, 9}));
}

TEST(MissingLibrary, NormalFormsAreRejected) {
  EXPECT_EQ(rejected([] { tokenizer::normalized("a", tokenizer::NormalForm::Nfkc); }),
            "its normalizer NFKC needs libutf8proc, and this weft was built without it. HINT: make build installs "
            "libutf8proc and adds it to weft.");
}

}  // namespace
}  // namespace weft::test
