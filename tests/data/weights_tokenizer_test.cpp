/// Model folders of other programs, with every kind of tokenizer that they use.
#include "host/tokenizer/weights_tokenizer.hpp"

#include <gtest/gtest.h>

#include "host/data/load_data.hpp"
#include "host/tokenizer/bpe_files.hpp"
#include "host/tokenizer/tokenizer_json.hpp"
#include "host/tokenizer/train_bpe.hpp"
#include "tests/says.hpp"
#include "tests/temporary_folder.hpp"
#include "tests/tokenizer/small_sentence_piece.hpp"

namespace weft::data {
namespace {

using Ids = std::vector<TokenId>;

class WeightsTokenizer : public testing::Test {
 protected:
  WeightsTokenizer() {
    folder_.write("hf/config.json", "{}");
    folder_.write("text.txt", "the the the the the");
    config_.file = "mine.yaml";
    config_.model.seq = 3;
    config_.model.vocab = 400;
    config_.model.micro_batch = 1;
    config_.train_input.batch_size = 1;
    config_.train_input.data_dir = folder_ / "text.txt";
    config_.runconfig.model_dir = folder_ / "model";
    config_.runconfig.checkpoint_path = folder_ / "hf";
  }
  template <class Work>
  static std::string message(const Work& work) {
    try {
      work();
    } catch (const Refusal& e) {
      return e.what();
    }
    return "no error";
  }
  void write(const std::string& name, const std::string& text) { folder_.write("hf/" + name, text); }
  tokenizer::FolderTokenizer found() const { return tokenizer::tokenizer_in(folder_ / "hf"); }
  /// The last token is " the".
  static tokenizer::BpeParts bpe() {
    return tokenizer::train_bpe({{" the", 9}}, {.vocab_size = 400, .special = {"<s>"}});
  }
  Ids ids(const std::string& tokenizer) {
    config_.train_input.tokenizer = tokenizer;
    return load_training_data(config_).micro_batch(0, 0).inputs;
  }

  test::TemporaryFolder folder_;
  config::Config config_;
};

TEST_F(WeightsTokenizer, ATokenizerJsonOfABpeIsTheOneOfTheText) {
  write("tokenizer.json", tokenizer::tokenizer_json(bpe()));
  EXPECT_EQ(found().file, folder_ / "hf/tokenizer.json");
  const tokenizer::Tokenizer tokenizer = *found().tokenizer;
  EXPECT_EQ(tokenizer.kind(), tokenizer::Tokenizer::Kind::Bpe);
  EXPECT_EQ(tokenizer::tokenizer_json(tokenizer), tokenizer::tokenizer_json(bpe())) << "as it goes out again";
  const auto last = static_cast<TokenId>(tokenizer.size() - 1);
  const Ids some = ids("bpe");
  EXPECT_EQ(some.back(), last);
}

TEST_F(WeightsTokenizer, VocabularyAndMergesAreOneTogether) {
  write("vocab.json", tokenizer::vocabulary_json(bpe()));
  EXPECT_EQ(found().file, "") << "without its merges";
  write("merges.txt", tokenizer::merges_text(bpe()));
  ASSERT_TRUE(found().tokenizer);
  EXPECT_EQ(found().tokenizer->kind(), tokenizer::Tokenizer::Kind::Bpe);
}

TEST_F(WeightsTokenizer, ASentencePieceIsFound) {
  write("tokenizer.model", tokenizer::small_model("unigram"));
  ASSERT_TRUE(found().tokenizer);
  EXPECT_EQ(found().tokenizer->kind(), tokenizer::Tokenizer::Kind::SentencePiece);
}

TEST_F(WeightsTokenizer, TheErrorOfARunThatWantsAnotherNamesThisOne) {
  write("tokenizer.json", tokenizer::tokenizer_json(bpe()));
  const std::string said = message([&] { ids("char"); });
  EXPECT_SAYS(said, "were trained with another tokenizer");
  EXPECT_SAYS(said, "use bpe");
}

TEST_F(WeightsTokenizer, OneThatIsNotDoneHereSaysWhy) {
  write("tokenizer.json", R"({"model": {"type": "WordPiece", "vocab": {"a": 0, "b": 1}}})");
  EXPECT_FALSE(found().tokenizer);
  const std::string said = message([&] { ids("char"); });
  EXPECT_SAYS(said, "text.txt is text");
  EXPECT_SAYS(said, "hf/tokenizer.json is not a usable tokenizer: has no pre-tokenizer ByteLevel");
  EXPECT_SAYS(said, "HINT: make token shards");
}

TEST_F(WeightsTokenizer, OneThatIsNoneIsDamaged) {
  write("tokenizer.json", "{");
  EXPECT_SAYS(message([&] { found(); }), "hf/tokenizer.json: is not a tokenizer");
}

}  // namespace
}  // namespace weft::data
