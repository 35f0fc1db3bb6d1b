/// Formats of other programs, recognized by their first bytes.
#include "sw/base/known_format.hpp"

#include <gtest/gtest.h>

#include "sw/base/refusal.hpp"
#include "tests/says.hpp"

namespace weft::test {
namespace {

using namespace std::string_literals;

std::string problem(const std::string& start, Expected expected, const std::string& file = "file") {
  const auto other = other_format(start, expected, file);
  return other ? other->problem : "";
}
std::string hint(const std::string& start, Expected expected, const std::string& file = "file") {
  const auto other = other_format(start, expected, file);
  return other ? other->hint : "";
}

/// The first bytes of a ZIP archive whose first file has this name.
std::string zip(const std::string& name) {
  std::string bytes(30, '\0');
  bytes.replace(0, 4, "PK\x03\x04");
  bytes[26] = static_cast<char>(name.size());
  return bytes + name + "content";
}
const std::string kTorchPickle = "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19."s;

/// The first bytes of an llm.c file.
std::string llmc(std::uint32_t magic) {
  std::string bytes(16, '\0');
  for (std::size_t n = 0; n < 4; ++n) bytes[n] = static_cast<char>(magic >> (8 * n));
  bytes[4] = 1;
  return bytes;
}

struct Sample {
  std::string bytes, name;
};

std::vector<Sample> weights_of_others() {
  return {{zip("archive/data.pkl"), "is a file of PyTorch"},
          {zip("ckpt/data.pkl"), "is a file of PyTorch"},
          {kTorchPickle, "is a file of PyTorch before 1.6"},
          {"\x80\x04\x95\x10\0\0"s, "is a pickle of Python"},
          {zip("wte.npy"), "is an archive of NumPy"},
          {"\x93NUMPY\x01\0"s, "is an array of NumPy"},
          {"GGUF\x03\0\0\0rest"s, "is a file of llama.cpp (GGUF or GGML)"},
          {"tjgg\x01\0\0\0rest"s, "is a file of llama.cpp (GGUF or GGML)"},
          {"24ka\x01\0\0\0rest"s, "is a file of llama2.c"},
          {zip("ts/data/0"), "is a file of PyTorch"},
          {llmc(20240328), "is llm.c's table of tokens (tokenizer.bin)"},
          {llmc(20240327), "is llm.c's reference values of a step"},
          {llmc(20240527), "is llm.c's optimizer and sampler, without the weights"},
          {llmc(20240522), "is llm.c's multiple-choice evaluation"},
          {llmc(20240803), "is a Llama of llm.c"},
          {llmc(20240520), "is a token shard of llm.c"},
          {"\x08\x07\x12\x07pytorch\x1a\x05"s, "is an ONNX file"},
          {"\x89HDF\r\n\x1a\n\0"s, "is in HDF5"},
          {"\x81\xabtransformer\x81"s, "is a MessagePack file, as Flax writes"},
          {"\0\0\x06\x08\x01\x1a\x02\x08\x01\0\x40"s, "is the index of a TensorFlow checkpoint"},
          {R"({"metadata": {"total_size": 8}, "weight_map": {"wte.weight": "a.safetensors"}})",
           "is the index of a checkpoint in several files"},
          {R"({"architectures": ["GPT2LMHeadModel"], "model_type": "gpt2"})", "is a model's config.json"}};
}

TEST(KnownFormat, WeightsOfOtherProgramsAreCalledByTheirNames) {
  for (const auto& [bytes, name] : weights_of_others()) {
    EXPECT_EQ(problem(bytes, Expected::Weights), name + ", not a safetensors file");
    EXPECT_NE(hint(bytes, Expected::Weights), "") << name;
  }
}

TEST(KnownFormat, AFileOfPyTorchIsRefusedWithTheCommandThatConvertsIt) {
  EXPECT_SAYS(hint(zip("archive/data.pkl"), Expected::Weights, "my model.pt"),
              "convert it: python3 -c \"import sys,torch");
  EXPECT_SAYS(hint(kTorchPickle, Expected::Weights, "my model.pt"), "\" 'my model.pt' OUT.safetensors");
}

TEST(KnownFormat, PointerFileIsRejectedForAnyExpectedFormat) {
  const std::string lfs = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 7\n";
  for (const Expected expected : {Expected::Text, Expected::Weights, Expected::Tokenizer, Expected::Shard,
                                  Expected::Hdf5, Expected::Json, Expected::Parameters, Expected::BareTokens}) {
    EXPECT_SAYS(problem(lfs, expected), "is a pointer of Git LFS");
    EXPECT_SAYS(hint(lfs, expected), "git lfs pull");
    EXPECT_SAYS(problem("\x1f\x8b\x08", expected), "is packed by gzip");
  }
  for (const Expected expected : {Expected::Weights, Expected::Tokenizer, Expected::Shard, Expected::Hdf5,
                                  Expected::Json, Expected::Parameters}) {
    EXPECT_SAYS(problem("<!DOCTYPE html><html>", expected), "is an HTML page");
    EXPECT_SAYS(problem("\xef\xbb\xbf\n<html>", expected), "is an HTML page");
    EXPECT_SAYS(problem("<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code>", expected), "is an XML text");
    EXPECT_SAYS(problem("Entry not found", expected), "is the answer of a server");
    EXPECT_SAYS(problem("{\"error\":\"Repository not found\"}", expected), "is the answer of a server");
  }
}

TEST(KnownFormat, TextMayBeAboutAnything) {
  for (const std::string& text :
       {"<!DOCTYPE html><html><head><title>A tale</title>"s, "<?xml version=\"1.0\"?><mediawiki>"s,
        "{\"model_type\": \"gpt2\"}"s, "ORCHESTRA"s, "GGUF is a format"s, "Not Found, a novel"s, "aGk= 1\naG8= 2\n"s})
    EXPECT_EQ(problem(text, Expected::Text), "") << text;
  EXPECT_SAYS(problem("<!DOCTYPE html><title>404: not found | Not Found</title>", Expected::Text), "is an HTML page");
  EXPECT_SAYS(problem("<?xml version=\"1.0\"?><Error><Code>NoSuchKey</Code>", Expected::Text), "is an XML text");
}

TEST(KnownFormat, ColumnsAndLinesThatAreNamedOtherwiseAreNoText) {
  EXPECT_EQ(problem("PAR1\x15\x04", Expected::Text), "is a table of Parquet, not a text");
  EXPECT_SAYS(problem("\xff\xff\xff\xff\x10\0\0\0"s, Expected::Text), "is a stream of Arrow");
  EXPECT_SAYS(problem("SQLite format 3\0..."s, Expected::Text), "is a database of SQLite");
  EXPECT_SAYS(problem("text,label\nhello,1\n", Expected::Text, "data.csv"), "is a table, not a text");
  EXPECT_EQ(problem("text,label\nhello,1\n", Expected::Text, "data.txt"), "");
  EXPECT_SAYS(problem("{\"text\": \"hello\"}\n", Expected::Text, "data.txt"), "is JSON, an object a line");
  EXPECT_EQ(problem("{\"text\": \"hello\"}\n", Expected::Text, "data.jsonl"), "");
  EXPECT_EQ(problem("{\"text\": \"hello\"}\n", Expected::Text, "data.json.gz"), "");
}

/// Otherwise the packed bytes would be read as tokens.
TEST(KnownFormat, PackedTextIsNoText) {
  for (const auto& [bytes, name] : std::vector<Sample>{
           {"BZh11AY&SY\xdb\xed"s, "bzip2"},
           {"BZh9\x17rE8P\x90\0\0"s, "bzip2"},
           {"\x5d\0\0\x80\0\xff\xff\xff\xff\xff\xff\xff\xff\0="s, "lzma"},
           {"LZIP\x01\x0c"s, "lzip"},
           {"\x89LZO\0\r\n\x1a\n"s, "lzop"},
           {"\x1f\x9d\x90"s, "compress"},
           {"\xff\x06\0\0sNaPpY"s, "Snappy"},
       })
    EXPECT_EQ(problem(bytes, Expected::Text), "is packed by " + name + ", not a text");
  EXPECT_EQ(problem("Rar!\x1a\x07\x01\0"s, Expected::Text), "is an archive of RAR, not a text");
  EXPECT_EQ(problem("BZh is how it begins", Expected::Text), "");
  EXPECT_EQ(problem("LZIP it", Expected::Text), "");
}

TEST(KnownFormat, VocabulariesOfOtherProgramsAreKnown) {
  const std::string tiktoken = "IQ== 0\nIg== 1\n", pieces = "\n\x0e\n\x05<unk>\x15\0\0\0\0\x18\x02"s;
  EXPECT_TRUE(is_tiktoken(tiktoken));
  EXPECT_TRUE(is_sentencepiece(pieces));
  EXPECT_EQ(problem(tiktoken, Expected::Tokenizer), "");
  EXPECT_SAYS(problem(tiktoken, Expected::Weights), "is a vocabulary of tiktoken, not");
  EXPECT_EQ(problem(pieces, Expected::Tokenizer), "");
  EXPECT_SAYS(problem(R"({"config": {"pattern": "x", "num_vocab_tokens": 150000}})", Expected::Tokenizer),
              "is a tokenizer of Mistral (tekken), not a tokenizer");
  EXPECT_SAYS(problem(R"({"explicit_n_vocab": 64739, "pat_str": "x"})", Expected::Tokenizer),
              "is a vocabulary of tiktoken in JSON");
  EXPECT_SAYS(problem(llmc(20240328), Expected::Tokenizer),
              "is llm.c's table of tokens (tokenizer.bin), not a tokenizer");
  EXPECT_EQ(problem(R"({"version": "1.0", "model": {"type": "BPE"}})", Expected::Tokenizer), "");
  for (const std::string& none : {"to be 1\n"s, "abc 1\n"s, "#version: 0.2\n"s, "t h\n"s, "\n"s, ""s})
    EXPECT_FALSE(is_tiktoken(none)) << none;
}

TEST(KnownFormat, TextOfTwoOrFourBytesALetterSaysHowItIsConverted) {
  std::string little, big, wide = "\xff\xfe\0\0"s;
  for (const char letter : "A text of a few words"s) {
    little += {letter, '\0'};
    big += {'\0', letter};
    wide += {letter, '\0', '\0', '\0'};
  }
  for (const Expected expected : {Expected::Text, Expected::Parameters, Expected::Tokenizer}) {
    EXPECT_EQ(problem(little, expected), "is in UTF-16 without a mark");
    EXPECT_SAYS(hint(little, expected), "iconv -f UTF-16LE -t UTF-8 ");
    EXPECT_SAYS(hint(big, expected), "iconv -f UTF-16BE -t UTF-8 ");
    EXPECT_EQ(problem(wide, expected), "is in UTF-32");
    EXPECT_SAYS(hint(wide, expected), "iconv -f UTF-32 -t UTF-8 ");
    EXPECT_SAYS(hint("\xff\xfe" + little, expected), "iconv -f UTF-16 -t UTF-8 ");
  }
  for (const std::string& numbers : {little, big, wide}) EXPECT_EQ(problem(numbers, Expected::Shard), "");
  EXPECT_EQ(problem("a\0b\0c\0 and more of it"s, Expected::Text), "") << "some zeros are no encoding";
}

TEST(KnownFormat, ExpectedFormatIsNoOtherFormat) {
  std::string tensors(16, '\0');
  tensors.replace(0, 2, "\xff\xfe").replace(2, 1, "\x01").replace(8, 2, "{\"");
  EXPECT_EQ(problem(tensors, Expected::Weights), "") << "its length reads as UTF-16's mark";
  EXPECT_EQ(problem("\x89HDF\r\n\x1a\n", Expected::Hdf5), "");
  EXPECT_EQ(problem(llmc(20240520), Expected::Shard), "");
  EXPECT_EQ(problem(llmc(20240520), Expected::BareTokens), "");
  EXPECT_EQ(problem("", Expected::Weights), "");
}

/// Token ids may be any numbers, so a magic number of two or three bytes, or of -1, is not recognized there.
TEST(KnownFormat, TokensWithoutAHeaderMayBeginWithFewBytesOfAnotherFormat) {
  for (const std::string& ids :
       {"\x1f\x8b\x07\x01\0\0\0\0\0\0"s, "\x1f\x9d\x90"s, "\xff\xff\xff\xff\x10\0\0\0"s, "\xff\xfe\x41\0"s,
        "\x80\x04\x95\x10\0\0"s, "\x81\xabtransformer\x81"s, "a\0b\0c\0d\0e\0f\0g\0h\0i\0"s})
    EXPECT_EQ(problem(ids, Expected::BareTokens), "") << ids;
  EXPECT_EQ(problem("GGUF\x03\0\0\0rest"s, Expected::BareTokens),
            "is a file of llama.cpp (GGUF or GGML), not a file of tokens");
  EXPECT_EQ(problem("\x1f\x8b\x08\0\0\0\0\0\0\x03rest"s, Expected::BareTokens),
            "is packed by gzip, not a file of tokens");
  EXPECT_EQ(problem("PAR1\x15\x04", Expected::BareTokens), "is a table of Parquet, not a file of tokens");
}

}  // namespace
}  // namespace weft::test
