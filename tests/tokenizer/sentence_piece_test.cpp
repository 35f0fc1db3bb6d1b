#include "host/tokenizer/sentence_piece.hpp"

#include <gtest/gtest.h>
#include <sentencepiece_processor.h>

#include "host/tokenizer/load.hpp"
#include "sw/base/refusal.hpp"
#include "tests/says.hpp"
#include "tests/temporary_folder.hpp"
#include "tests/tokenizer/random_text.hpp"
#include "tests/tokenizer/small_sentence_piece.hpp"

namespace weft::tokenizer {
namespace {

using Ids = std::vector<std::uint32_t>;

Ids encode(const TextTokenizer& tokenizer, const std::string& text) {
  Ids ids;
  tokenizer.encoder()->encode(text, ids);
  return ids;
}

TEST(SentencePiece, GivesTheIdsOfItsLibrary) {
  for (const std::string type : {"unigram", "bpe"}) {
    const std::string model = small_model(type);
    const auto loaded = make_sentence_piece(model);
    const SentencePiece& ours = *loaded;
    sentencepiece::SentencePieceProcessor theirs;
    ASSERT_TRUE(theirs.LoadFromSerializedProto(model).ok());
    EXPECT_EQ(ours.size(), static_cast<std::uint32_t>(theirs.GetPieceSize()));
    EXPECT_EQ(ours.end(), ours.id_of("</s>"));
    test::Rng rng(test::test_seed());
    for (int i = 0; i < 300; ++i) {
      const std::string text = random_text(rng, 30, true) + " the wafer tokens";
      const std::vector<int> ids = theirs.EncodeAsIds(text);
      ASSERT_EQ(encode(ours, text), Ids(ids.begin(), ids.end())) << testing::PrintToString(text);
    }
  }
}

TEST(SentencePiece, TextRoundTripsAndContinuesPieceByPiece) {
  const auto loaded = make_sentence_piece(small_model("bpe"));
  const SentencePiece& model = *loaded;
  const std::string text = "the wafer and the token: \u00e9\u4e2d 12";
  const Ids ids = encode(model, text);
  EXPECT_EQ(model.decode(ids), text);
  std::string pieces;
  for (const std::uint32_t id : ids) pieces += model.piece(id);
  EXPECT_EQ(pieces, " " + text);  // the space that the model inserts before a text
  EXPECT_EQ(model.piece(*model.end()), "");
  EXPECT_EQ(model.piece(model.size()), "");
  EXPECT_EQ(model.id_of("no such piece"), std::nullopt);
  EXPECT_EQ(model.cut(text, 0), std::string::npos);
}

TEST(SentencePiece, OtherFileIsRejectedByName) {
  test::TemporaryFolder folder;
  const auto refused = [](const std::string& vocab, const std::string& merges) -> std::string {
    try {
      load_tokenizer(vocab, merges);
    } catch (const Refusal& e) {
      return e.what();
    }
    return "nothing is refused";
  };
  const std::string model = folder.write("good.model", small_model("unigram"));
  EXPECT_EQ(refused(model, ""), "nothing is refused");
  EXPECT_SAYS(refused(model, "merges.txt"), "good.model: is a SentencePiece model, which has no merges");
  EXPECT_SAYS(refused(folder.write("a.model", "this is none"), ""), "a.model: is not a SentencePiece model");
  EXPECT_SAYS(refused(folder.write("t.model", "IQ== 0\nIg== 1\n"), ""),
              "t.model: has 2 tokens, as no vocabulary of tiktoken whose pattern is known");
  EXPECT_SAYS(refused(folder.write("l.model", "version https://git-lfs.github.com/spec/v1\n"), ""),
              "l.model: is a pointer of Git LFS");
  EXPECT_SAYS(refused(folder.write("b.model", ""), ""), "b.model: is empty. HINT: fetch the *.model again");
  // <unk> and an empty user-defined piece: the library throws.
  const std::string pieces("\x0a\x09\x0a\x05<unk>\x18\x02\x0a\x04\x0a\x00\x18\x04", 17);
  EXPECT_SAYS(refused(folder.write("c.model", pieces), ""), "c.model: is not a SentencePiece model");
}

}  // namespace
}  // namespace weft::tokenizer
