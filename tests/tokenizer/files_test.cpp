#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "host/tokenizer/bpe_files.hpp"
#include "host/tokenizer/load.hpp"
#include "host/tokenizer/train_bpe.hpp"
#include "sw/base/refusal.hpp"
#include "tests/says.hpp"
#include "tests/temporary_folder.hpp"
#include "tests/tokenizer/random_text.hpp"

namespace weft::tokenizer {
namespace {

BpeParts trained() {
  return train_bpe({{" the", 9}, {" then", 5}, {"\u00e9t\u00e9", 4}},
                   {.vocab_size = 264, .special = {"<|endoftext|>", "<a b>"}});
}

template <class Work>
std::string refused(const Work& work) {
  try {
    work();
  } catch (const Refusal& e) {
    return e.what();
  }
  return "nothing is refused";
}

TEST(BpeFiles, SayTheSameInBothForms) {
  test::TemporaryFolder folder;
  const BpeParts parts = trained();
  const std::string vocab = folder.write("vocab.json", vocabulary_json(parts)),
                    merges = folder.write("merges.txt", merges_text(parts)),
                    json = folder.write("tokenizer.json", tokenizer_json(parts));
  const auto two = load_tokenizer(vocab, merges), one = load_tokenizer(json, "");
  for (const auto& bpe : {two, one}) {
    const auto& loaded = dynamic_cast<const ByteBpe&>(*bpe).parts();
    EXPECT_EQ(loaded.tokens, parts.tokens);
    EXPECT_EQ(loaded.merges, parts.merges);
    EXPECT_EQ(bpe->id_of("<|endoftext|>"), 0u);
    EXPECT_EQ(bpe->id_of("<a b>"), 1u);
  }
  std::vector<std::uint32_t> ids;
  one->encoder()->encode(" then<a b><|endoftext|>", ids);
  two->encoder()->encode(" then<a b><|endoftext|>", ids);
  const std::uint32_t then = *one->id_of(" then");
  EXPECT_EQ(ids, (std::vector<std::uint32_t>{then, 1, 0, then, 1, 0}));
}

std::vector<std::uint32_t> ids_of(const TextTokenizer& tokenizer, const std::string& text) {
  std::vector<std::uint32_t> ids;
  tokenizer.encoder()->encode(text, ids);
  return ids;
}

TEST(BpeFiles, AFolderIsReadWithItsSettingsAndAFileInItIsNoted) {
  test::TemporaryFolder folder;
  const std::string dir = folder.path().string(), json = folder.write("tokenizer.json", tokenizer_json(trained()));
  const auto note = [&] { return note_files_beside(json, "", *load_tokenizer(json, "")).value_or(""); };
  EXPECT_EQ(note(), "");
  EXPECT_EQ(ids_of(*load_tokenizer(dir, ""), " then"), ids_of(*load_tokenizer(json, ""), " then"));
  folder.write("tokenizer_config.json", R"({"tokenizer_class": "GPT2Tokenizer", "pad_token": "<|endoftext|>"})");
  EXPECT_EQ(note(), "") << "a file that changes no id";
  folder.write("added_tokens.json", R"({"<new>": 264})");
  EXPECT_EQ(ids_of(*load_folder_tokenizer(json, ""), "<new>"), std::vector<std::uint32_t>{264});
  EXPECT_EQ(ids_of(*load_tokenizer(dir, ""), "<new>"), std::vector<std::uint32_t>{264});
  EXPECT_EQ(ids_of(*load_tokenizer(json, ""), "<new>").size(), 5U);
  EXPECT_EQ(note(), "note    " + json +
                        ": ids are those of this file alone; the files next to it define other ids: name the folder, " +
                        dir + ", for the ids of transformers");
  folder.write("tokenizer_config.json", R"({"add_bos_token": true})");
  EXPECT_SAYS(note(), "define other ids: tokenizer_config.json has add_bos_token, which is not supported");
  EXPECT_SAYS(refused([&] { load_tokenizer(dir, ""); }), "add_bos_token");
}

TEST(BpeFiles, AFolderHasItsFiles) {
  test::TemporaryFolder folder;
  const std::string dir = folder.path().string();
  EXPECT_SAYS(refused([&] { load_tokenizer(dir, ""); }),
              "has no tokenizer.json, no vocab.json with merges.txt and no tokenizer.model");
  folder.write("vocab.json", vocabulary_json(trained()));
  folder.write("merges.txt", merges_text(trained()));
  EXPECT_EQ(ids_of(*load_tokenizer(dir, ""), " then").size(), 1U);
  EXPECT_SAYS(refused([&] { load_tokenizer(dir, folder / "merges.txt"); }), "is a folder that has merges of its own");
}

TEST(BpeFiles, NameFileAndLineOfWhatIsWrong) {
  test::TemporaryFolder folder;
  const BpeParts parts = trained();
  const std::string vocab = folder.write("v.json", vocabulary_json(parts)), good = merges_text(parts);
  const auto with = [&](const std::string& merges) {
    const std::string file = folder.write("m.txt", merges);
    return refused([&] { load_tokenizer(vocab, file); });
  };
  EXPECT_EQ(with(good), "nothing is refused");
  EXPECT_SAYS(with(good + "a\n"), "m.txt:" + std::to_string(parts.merges.size() + 2) + ": \"a\" is not two tokens");
  EXPECT_SAYS(with("#version: 0.2\na b c\n"), "m.txt:2: \"a b c\" is not two tokens");
  EXPECT_SAYS(with("x y\n"), "m.txt:1: \"xy\" is not a token of the vocabulary");
  EXPECT_SAYS(with("\u4e2d a\n"), "m.txt:1: \"\u4e2d\" has a letter that does not represent a byte");
  EXPECT_SAYS(refused([&] { load_tokenizer(vocab, ""); }), "has no merges");
  EXPECT_SAYS(refused([&] { load_tokenizer(folder / "none", "m"); }), "none");
  const auto vocabulary = [&](const std::string& text) {
    const std::string file = folder.write("w.json", text);
    return refused([&] { load_tokenizer(file, vocab); });
  };
  EXPECT_SAYS(vocabulary("{\"a\": 0,\n\"b\": }"), "w.json: is not JSON from line 2 on");
  EXPECT_SAYS(vocabulary("{\"a\": 1e999}"), "w.json: is JSON with a number that is too large");
  EXPECT_SAYS(vocabulary("IQ== 0\nIg== 1\n"),
              "w.json: is a vocabulary of tiktoken, which has no merges. HINT: leave out");
  EXPECT_SAYS(vocabulary("<!DOCTYPE html>"), "w.json: is an HTML page, not a tokenizer");
  EXPECT_SAYS(vocabulary(""), "w.json: is empty. HINT: a vocab.json is a JSON object of tokens and their ids");
  EXPECT_SAYS(refused([&] { load_tokenizer(folder / "w.json", ""); }), "w.json: is empty");
  EXPECT_SAYS(refused([&] { load_tokenizer(folder.write("x.model", ""), ""); }),
              "x.model: is empty. HINT: fetch the *.model again.");
  EXPECT_SAYS(vocabulary("[1]"), "w.json: is not a vocabulary");
  EXPECT_SAYS(vocabulary("{}"), "has no tokens");
  EXPECT_SAYS(vocabulary(R"({"a": 1.5})"), "token \"a\" has no id");
  EXPECT_SAYS(vocabulary(R"({"a": -1})"), "token \"a\" has no id");
  EXPECT_SAYS(vocabulary(R"({"a": 3, "b": 3})"), "two tokens have the id 3");
}

/// All lines of such merges are valid, and the rest of the vocabulary would count as special tokens.
TEST(BpeFiles, MergesOfAnotherVocabularyOrCutShortAreRefused) {
  test::TemporaryFolder folder;
  BpeParts parts = trained();
  const auto with = [&](std::size_t more, std::size_t kept) {
    BpeParts all = parts;
    for (std::size_t n = 0; n < more; ++n) {  // a chain: aa, aaa, ...
      all.merges.emplace_back(std::string(n + 1, 'a'), "a");
      all.tokens.emplace(static_cast<std::uint32_t>(1000 + n), std::string(n + 2, 'a'));
    }
    const std::string vocab = folder.write("v.json", vocabulary_json(all));
    all.merges.resize(parts.merges.size() + kept);
    const std::string merges = folder.write("m.txt", merges_text(all));
    return refused([&] { load_tokenizer(vocab, merges); });
  };
  EXPECT_EQ(with(1500, 1500), "nothing is refused");
  EXPECT_EQ(with(1500, 1000), "nothing is refused") << "500 special tokens may be";
  EXPECT_SAYS(with(1500, 100), "m.txt: has " + std::to_string(parts.merges.size() + 100) +
                                   " merges, but they do not make 1402 tokens of the vocabulary");
}

/// add_prefix_space of ByteLevel, as in the package `tokenizers`: at the text's start and after added tokens.
TEST(BpeFiles, ASpaceBeforeATextIsAddedUnlessItBeginsWithOne) {
  BpeParts parts = train_bpe({{" the", 9}}, {.vocab_size = 259, .special = {"<|endoftext|>"}});
  parts.special.push_back({"<s>", 259});
  const ByteBpe plain(parts);
  parts.prefix_space = 0;
  const ByteBpe spaced(parse_bpe_tokenizer_json(tokenizer_json(parts)));
  const auto ids = [](const ByteBpe& bpe, const std::string& text) {
    std::vector<std::uint32_t> all;
    bpe.encoder()->encode(text, all);
    return all;
  };
  const std::pair<const char*, const char*> texts[] = {
      {"", ""}, {"a", " a"}, {" a", " a"}, {"\na", " \na"}, {"<s>b<s> c<s>", "<s> b<s> c<s>"}, {"a b", " a b"}};
  for (const auto& [text, same] : texts) EXPECT_EQ(ids(spaced, text), ids(plain, same)) << text;
  EXPECT_EQ(spaced.cut("word\nword word", 1), 9U) << "a part that begins with a line end would get a space";
}

/// Entries of a tokenizer.json that change no id, as other programs write them.
TEST(BpeFiles, NeutralEntryIsAccepted) {
  using Json = nlohmann::json;
  const Json good = Json::parse(tokenizer_json(trained()));
  const auto ids = [](const Json& json) {
    std::vector<std::uint32_t> all;
    ByteBpe(parse_bpe_tokenizer_json(json.dump())).encoder()->encode("the <|endoftext|> then<a b>", all);
    return all;
  };
  const auto expected = ids(good);
  const std::pair<const char*, Json> changes[] = {
      {"/normalizer", {{"type", "Sequence"}, {"normalizers", Json::array()}}},
      {"/model/dropout", 0.0},
      {"/model/byte_fallback", true},
      {"/model/vocab/", 400},
      {"/added_tokens/-", {{"id", 402}, {"content", ""}}},
      {"/added_tokens/-", {{"id", 999}, {"content", "<a b>"}, {"normalized", true}}}};
  for (const auto& [path, value] : changes) {
    Json object = good;
    object[Json::json_pointer(path)] = value;
    EXPECT_EQ(ids(object), expected) << path;
  }
}

/// The package `tokenizers` looks for an added token's text among the letters of the vocabulary, which has " then" as
/// "\u0120then": the added token is another one.
TEST(BpeFiles, AnAddedTokenMayHaveTheBytesOfATokenOfTheVocabulary) {
  using Json = nlohmann::json;
  test::TemporaryFolder folder;
  const Json good = Json::parse(tokenizer_json(trained()));
  const auto then = good["model"]["vocab"]["\u0120then"].get<std::uint32_t>();
  const auto next = static_cast<std::uint32_t>(good["model"]["vocab"].size());
  const auto with = [&](std::uint32_t id) {
    Json object = good;
    object["added_tokens"].push_back({{"id", id}, {"content", " then"}});
    return object.dump();
  };
  EXPECT_EQ(ids_of(ByteBpe(parse_bpe_tokenizer_json(with(next))), " then"), std::vector<std::uint32_t>{next});
  EXPECT_SAYS(refused([&] { parse_bpe_tokenizer_json(with(then)); }),
              "has the id " + std::to_string(then) + ", but would get " + std::to_string(next));
  folder.write("vocab.json", vocabulary_json(trained()));
  folder.write("merges.txt", merges_text(trained()));
  const auto beside = [&](std::uint32_t id) {
    folder.write("added_tokens.json", Json{{" then", id}}.dump());
    return load_tokenizer(folder.path().string(), "");
  };
  EXPECT_EQ(ids_of(*beside(next), " then"), std::vector<std::uint32_t>{next});
  EXPECT_SAYS(refused([&] { beside(then); }), "would be " + std::to_string(next));
}

/// A vocabulary with CLIP's end-of-word marks, treated as one of bytes, would give other ids than CLIP's tokenizer.
TEST(BpeFiles, ABpeOfWordsIsRefused) {
  test::TemporaryFolder folder;
  BpeParts parts = trained();
  const auto with = [&](const std::string& mark, const std::string& merge) {
    auto vocabulary = nlohmann::json::parse(vocabulary_json(parts));
    for (const std::string& token : {"e" + mark, "xe" + mark, std::string("##xy")})
      vocabulary.emplace(token, vocabulary.size());
    const std::string vocab = folder.write("v.json", vocabulary.dump());
    const std::string merges = folder.write("m.txt", merges_text(parts) + merge + "\n");
    return refused([&] { load_tokenizer(vocab, merges); });
  };
  EXPECT_SAYS(with("</w>", "x e</w>"), "m.txt: has the symbol \"e</w>\": it belongs to a BPE of words");
  EXPECT_SAYS(with("@@", "x e"), "\"xe\" is in the vocabulary with a mark (xe@@)");
  EXPECT_SAYS(with("", "x y"), "\"xy\" is in the vocabulary with a mark (##xy)");
}

TEST(BpeFiles, MergesInThePlaceOfTheVocabularyAreCalledSo) {
  test::TemporaryFolder folder;
  const BpeParts parts = trained();
  const std::string vocab = folder.write("v.json", vocabulary_json(parts)), text = merges_text(parts);
  const std::string merges = folder.write("m.txt", text),
                    bare = folder.write("b.txt", text.substr(text.find('\n') + 1));
  EXPECT_SAYS(refused([&] { load_tokenizer(merges, ""); }), "m.txt: is a file of merges, not a vocabulary");
  EXPECT_SAYS(refused([&] { load_tokenizer(bare, ""); }), "give the vocab.json or encoder.json next to it");
  EXPECT_SAYS(refused([&] { load_tokenizer(merges, vocab); }), "exchange the two: " + vocab + " is the vocabulary");
  // As written by Windows editors.
  const std::string marked = folder.write("w.txt", "\xef\xbb\xbf" + text + "\r\n\n");
  EXPECT_EQ(refused([&] { load_tokenizer(vocab, marked); }), "nothing is refused");
}

/// Features of `tokenizers` that Weft does not support are never ignored silently.
TEST(BpeFiles, RefuseByNameWhatIsNotDoneHere) {
  using Json = nlohmann::json;
  const Json good = Json::parse(tokenizer_json(trained()));
  const auto with = [&](const char* path, const Json& value) {
    Json object = good;
    object[Json::json_pointer(path)] = value;
    return refused([&] { parse_bpe_tokenizer_json(object.dump()); });
  };
  EXPECT_EQ(with("/version", "1.0"), "nothing is refused");
  EXPECT_SAYS(with("/normalizer", {{"type", "Lowercase"}}), "normalizer Lowercase is not supported");
  EXPECT_SAYS(with("/normalizer", {{"type", "Sequence"}, {"normalizers", {{{"type", "NFC"}}, {{"type", "Strip"}}}}}),
              "normalizer Strip is not supported");
  EXPECT_SAYS(with("/pre_tokenizer", {{"type", "Whitespace"}}), "pre-tokenizer Whitespace is not supported");
  EXPECT_SAYS(with("/pre_tokenizer", nullptr), "has no pre-tokenizer ByteLevel");
  EXPECT_EQ(with("/pre_tokenizer/add_prefix_space", true), "nothing is refused");
  const Json split = {{"type", "Split"}, {"pattern", {{"Regex", "\\s+"}}}, {"behavior", "Isolated"}, {"invert", false}};
  const auto sequence = [&](const Json& first) {
    return with(
        "/pre_tokenizer",
        {{"type", "Sequence"},
         {"pretokenizers", {first, {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"use_regex", false}}}}});
  };
  EXPECT_EQ(sequence(split), "nothing is refused");
  Json other = split;
  other["behavior"] = "Dropped";
  EXPECT_SAYS(sequence(other), "has the behavior Dropped");
  other = split, other["pattern"] = {{"Glob", " "}};
  EXPECT_SAYS(sequence(other), "has neither a Regex nor a String");
  other = split, other["pattern"]["Regex"] = "\\w+";
  EXPECT_SAYS(refused([&] {
                Json object = good;
                object["pre_tokenizer"] = {{"type", "Sequence"}, {"pretokenizers", {other, good["pre_tokenizer"]}}};
                ByteBpe(parse_bpe_tokenizer_json(object.dump()));
              }),
              "\\w");
  EXPECT_SAYS(sequence(good["pre_tokenizer"]), "follows ByteLevel");
  EXPECT_SAYS(with("/model/type", "Unigram"), "model Unigram is not supported");
  EXPECT_SAYS(with("/model/dropout", 0.1), "dropout");
  EXPECT_SAYS(refused([&] {
                Json object = good;
                object["model"]["byte_fallback"] = true;
                object["model"]["vocab"].erase("\u0100");
                parse_bpe_tokenizer_json(object.dump());
              }),
              "byte_fallback, but not all 256 bytes");
  EXPECT_SAYS(with("/added_tokens/0/id", 7), "has the id 7, but would get 0 from the package tokenizers");
  EXPECT_SAYS(with("/model/end_of_word_suffix", "</w>"), "end_of_word_suffix");
  EXPECT_SAYS(with("/added_tokens/0/lstrip", true), "has lstrip");
  EXPECT_SAYS(with("/model/merges/0", {"x", "y"}), "merge 1: \"xy\" is not a token");
  EXPECT_SAYS(with("/model/merges", 3), "is not a tokenizer.json");
  EXPECT_SAYS(refused([&] { parse_bpe_tokenizer_json("{}"); }), "it has no model");
  const std::string deep = std::string(300000, '[') + std::string(300000, ']');  // output would exhaust the stack
  EXPECT_SAYS(refused([&] {
                parse_bpe_tokenizer_json(R"({"pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false},
    "model": {"merges": [], "vocab": )" + deep +
                                         "}}");
              }),
              "is JSON of more than 64 levels");
}

}  // namespace
}  // namespace weft::tokenizer
