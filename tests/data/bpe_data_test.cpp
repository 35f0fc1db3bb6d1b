/// Text and shards of a byte-level BPE, from configuration keys to samples.
#include <gtest/gtest.h>

#include "host/data/load_data.hpp"
#include "host/tokenizer/bpe_files.hpp"
#include "host/tokenizer/train_bpe.hpp"
#include "host/tokenizer/vocabulary.hpp"
#include "tests/says.hpp"
#include "tests/temporary_folder.hpp"
#include "tests/tokenizer/small_sentence_piece.hpp"

namespace weft::data {
namespace {

using Ids = std::vector<TokenId>;

/// Token 0 is "<|endoftext|>", tokens from 1 on are bytes, and " the" is the last of 260.
tokenizer::BpeParts small_bpe(const char* special = "<|endoftext|>") {
  return tokenizer::train_bpe({{" the", 9}}, {.vocab_size = 400, .special = {special}});
}

class BpeData : public testing::Test {
 protected:
  BpeData() {
    config_.file = "mine.yaml";
    config_.model.seq = 3;
    config_.model.vocab = 260;
    config_.model.micro_batch = 1;
    config_.train_input.batch_size = 1;
    config_.train_input.shuffle = false;
    config_.train_input.tokenizer = "bpe";
    config_.train_input.vocab_file = folder_.write("tokenizer.json", tokenizer::tokenizer_json(small_bpe()));
    config_.runconfig.model_dir = folder_ / "model";
    std::filesystem::create_directories(config_.runconfig.model_dir);
  }
  template <class Work>
  std::string message(const Work& work) const {
    try {
      work();
    } catch (const Refusal& e) {
      return e.what();
    }
    return "no error";
  }
  std::string train(const std::string& data_dir) {
    config_.train_input.data_dir = folder_ / data_dir;
    return message([&] { load_training_data(config_); });
  }
  Ids tokens(const std::string& data_dir) {
    config_.train_input.data_dir = folder_ / data_dir;
    return load_training_data(config_).micro_batch(0, 0).labels;
  }
  void checkpoint_with(const tokenizer::Tokenizer& tokenizer) {
    tokenizer::save_vocabulary(config_.runconfig.model_dir, tokenizer);
    folder_.write("model/checkpoint_5.safetensors", "");
  }
  tokenizer::Tokenizer bpe(const char* special = "<|endoftext|>") const {
    return tokenizer::Tokenizer::of(std::make_shared<const tokenizer::ByteBpe>(small_bpe(special)));
  }

  const test::TemporaryFolder folder_;
  config::Config config_;
};

TEST_F(BpeData, ATextIsADocumentAndItsEnd) {
  const tokenizer::Tokenizer tokenizer = bpe();
  EXPECT_EQ(tokenizer.size(), 260);
  const TokenId the = static_cast<TokenId>(*tokenizer.text().id_of(" the")),
                a = static_cast<TokenId>(*tokenizer.text().id_of("a"));
  folder_.write("d/1.txt", "a the");
  folder_.write("d/2.txt", "aa");
  EXPECT_EQ(tokens("d"), (Ids{the, 0, a}));
  EXPECT_EQ(load_training_data(config_).tokens(), 6u);
  EXPECT_EQ(tokenizer.decode({a, the, 0}), "a the<|endoftext|>");
}

TEST_F(BpeData, ATextAndTheShardOfItAreTheSameTokens) {
  std::string text;
  for (int i = 0; i < 400000; ++i) text += i % 7 == 0 ? " then\n" : " the a.";  // long enough for several parts
  folder_.write("a.txt", text);
  Ids ids;
  bpe().encode_document(text, ids);
  folder_.write("a.bin", test::shard_bytes(ids));
  EXPECT_EQ(train("a.txt"), "no error");
  const std::uint32_t checksum = load_training_data(config_).checksum();
  EXPECT_EQ(train("a.bin"), "no error");
  EXPECT_EQ(load_training_data(config_).checksum(), checksum);
  EXPECT_EQ(load_tokenizer(config_)->name(), std::string("bpe"));
  config_.eval_input.data_dir = folder_ / "a.txt";
  EXPECT_EQ(message([&] { load_eval_data(config_); }), "no error") << "text, beside training on shards";
}

TEST_F(BpeData, AContinuedRunDoesNotNeedTheFiles) {
  folder_.write("a.txt", "a the end");
  folder_.write("a.bin", test::shard_bytes({1, 2, 3, 4, 5}));
  checkpoint_with(bpe());
  EXPECT_EQ(train("a.txt"), "no error");
  config_.train_input.vocab_file.clear();
  EXPECT_EQ(train("a.txt"), "no error");
  EXPECT_EQ(train("a.bin"), "no error");
  config_.train_input.tokenizer = "char";
  EXPECT_EQ(train("a.bin"), "no error") << "a shard says nothing of its tokenizer";
  EXPECT_EQ(load_tokenizer(config_)->name(), std::string("bpe")) << "and keeps the run's";
  EXPECT_SAYS(train("a.txt"), "were trained with another tokenizer. HINT: use bpe, or another model_dir");
}

TEST_F(BpeData, AnotherVocabularyIsRefused) {
  folder_.write("a.txt", "a the end");
  checkpoint_with(bpe("<|another|>"));
  EXPECT_SAYS(train("a.txt"), "train_input.vocab_file: is not the one that the checkpoints in");
  checkpoint_with(tokenizer::Tokenizer::bytes());
  EXPECT_SAYS(train("a.txt"), "were trained with another tokenizer. HINT: use byte, or another model_dir");
}

TEST_F(BpeData, ASentencePieceModelIsOneToo) {
  const std::string model = tokenizer::small_model("bpe");
  config_.model.vocab = 1000;
  config_.train_input.vocab_file = folder_.write("tok.model", model);
  folder_.write("a.txt", "the wafer and the token");
  EXPECT_SAYS(train("a.txt"),
              "tok.model: is a file for tokenizer sentencepiece, not bpe. HINT: set train_input.tokenizer sentence");
  config_.train_input.tokenizer = "sentencepiece";
  EXPECT_EQ(train("a.txt"), "no error");
  const tokenizer::Tokenizer tokenizer = *load_tokenizer(config_);
  Ids ids;
  tokenizer.encode_document("the wafer and the token", ids);
  EXPECT_EQ(ids.back(), *tokenizer.text().end());
  EXPECT_EQ(tokenizer.decode(ids), " the wafer and the token");
  EXPECT_EQ(load_training_data(config_).tokens(), ids.size());
  const std::string saved = tokenizer::vocabulary_text(tokenizer, "0123456789abcdef");
  EXPECT_EQ(tokenizer::vocabulary_text(tokenizer::parse_vocabulary(saved), "0123456789abcdef"), saved);
  EXPECT_EQ(tokenizer::vocabulary_name(tokenizer).substr(0, 14), "sentencepiece ");
  checkpoint_with(tokenizer);
  config_.train_input.vocab_file.clear();
  EXPECT_EQ(train("a.txt"), "no error");
}

TEST_F(BpeData, MissingOrSmallInputIsReported) {
  folder_.write("a.txt", "a the end");
  config_.model.vocab = 259;
  EXPECT_SAYS(train("a.txt"), "model.vocab_size: 259 is less than the 260 tokens of ");
  config_.train_input.vocab_file = folder_.write("vocab.json", "{\"a\": 0}");
  EXPECT_SAYS(train("a.txt"), "mine.yaml: train_input.vocab_file: ");
  EXPECT_SAYS(train("a.txt"), "vocab.json: has no merges");
  config_.train_input.merges_file = folder_.write("merges.txt", "#version: 0.2\na b c\n");
  EXPECT_SAYS(train("a.txt"), "merges.txt:2: \"a b c\" is not two tokens");
  folder_.write("merges.txt", "");
  EXPECT_SAYS(train("a.txt"), "byte 0x20 at offset 1 is not in the vocabulary");
  config_.train_input.vocab_file.clear();
  EXPECT_SAYS(train("a.txt"), "train_input.merges_file: belongs to a vocab_file, which is not set");
  config_.train_input.merges_file.clear();
  EXPECT_SAYS(train("a.txt"), "train_input.vocab_file: missing: tokenizer bpe requires it");
}

TEST_F(BpeData, ASavedVocabularyIsReadBackUnchanged) {
  tokenizer::BpeParts parts = small_bpe();
  parts.added = {{"a b", 300}};
  parts.whole_words = true;
  parts.splits = {{R"(\p{N}{1,3})"}, {std::string(tokenizer::kGpt2Pattern)}};
  for (const tokenizer::BpeParts& some : {parts, small_bpe()}) {
    const tokenizer::Tokenizer tokenizer = tokenizer::Tokenizer::of(std::make_shared<const tokenizer::ByteBpe>(some));
    const std::string saved = tokenizer::vocabulary_text(tokenizer, "0123456789abcdef");
    const tokenizer::Tokenizer back = tokenizer::parse_vocabulary(saved);
    EXPECT_EQ(tokenizer::vocabulary_text(back, "0123456789abcdef"), saved);
    EXPECT_EQ(tokenizer::vocabulary_name(back), tokenizer::vocabulary_name(tokenizer));
    EXPECT_EQ(tokenizer::vocabulary_name(back).substr(0, 4), "bpe ");
    std::string damaged = saved;
    damaged[saved.size() / 2] = static_cast<char>(damaged[saved.size() / 2] ^ 1);
    EXPECT_NE(message([&] { tokenizer::parse_vocabulary(damaged); }), "no error");
  }
  EXPECT_NE(tokenizer::vocabulary_name(bpe()), tokenizer::vocabulary_name(bpe("<|another|>")));
}

}  // namespace
}  // namespace weft::data
