#include "host/tokenizer/shards/documents.hpp"

#include <gtest/gtest.h>

#include "host/tokenizer/shards/count_words.hpp"
#include "sw/base/refusal.hpp"
#include "tests/says.hpp"
#include "tests/temporary_folder.hpp"
#include "tests/tokenizer/packed.hpp"
#include "tests/tokenizer/random_text.hpp"

namespace weft::tokenizer {
namespace {

ByteBpe bytes(std::vector<std::string> patterns) {
  BpeParts parts;
  for (std::uint32_t b = 0; b < 256; ++b) parts.tokens[b] = std::string(1, static_cast<char>(b));
  for (std::string& pattern : patterns) parts.splits.push_back({std::move(pattern)});
  return ByteBpe(std::move(parts));
}

std::vector<Part> parts_of(const std::vector<std::string>& files, const ByteBpe& tokenizer) {
  Parts parts(files, tokenizer);
  std::vector<Part> all;
  for (Part part; parts.next(part);) all.push_back(part);
  return all;
}

TEST(Documents, FolderYieldsItsTextsAndLinesInOrder) {
  test::TemporaryFolder folder;
  folder.write("b.txt", "two");
  folder.write("a/x.jsonl.gz", gzip("{\"text\": \"one\"}\n"));
  folder.write("c.txt.zst", zstandard("three"));
  folder.write("d.ndjson", "{\"text\": \"four\"}");
  folder.write("c.md", "not this");
  folder.write("about.json", "nor this");
  folder.write("a/._x.txt", "\x00\x05\x16\x07");
  folder.write("a/.ipynb_checkpoints/x-checkpoint.txt", "one, again");
  folder.write("empty.txt", "");
  std::vector<std::string> seen;
  for (const Part& part : parts_of(corpus_files(folder.path().string()), bytes({std::string(kGpt2Pattern)})))
    for_each_document(part, "text",
                      [&](std::string_view text, bool ends) { seen.push_back(std::string(text) + (ends ? "." : "")); });
  EXPECT_EQ(seen, (std::vector<std::string>{"one.", "two.", "three.", "four."}));
}

TEST(Documents, ALineThatNestsDeeplyIsRefused) {
  test::TemporaryFolder folder;
  const std::string file = folder.write(
      "a.jsonl", "{\"text\": \"one\", \"more\": " + std::string(1'000'000, '[') + std::string(1'000'000, ']') + "}\n");
  try {
    for (const Part& part : parts_of({file}, bytes({std::string(kGpt2Pattern)})))
      for_each_document(part, "text", [](std::string_view, bool) {});
    FAIL() << "was taken";
  } catch (const Refusal& e) {
    EXPECT_SAYS(e.what(), "a.jsonl:1: is JSON of more than 64 levels. HINT: ");
  }
}

/// C4's files have such names.
TEST(Documents, AreTheLinesOfAFileNamedJson) {
  test::TemporaryFolder folder;
  const auto texts = [&](const std::string& file) {
    std::string all;
    for (const Part& part : parts_of(corpus_files(file), bytes({std::string(kGpt2Pattern)})))
      for_each_document(part, "text", [&](std::string_view text, bool ends) { (all += text) += ends ? "." : ""; });
    return all;
  };
  const std::string two = "{\"text\": \"one\"}\n{\"text\": \"two\"}\n";
  for (const char* name : {"a.json", "a.ndjson", "a.jsonl"}) EXPECT_EQ(texts(folder.write(name, two)), "one.two.");
  EXPECT_EQ(texts(folder.write("c4-train.00000-of-01024.json.gz", gzip(two))), "one.two.");
  try {
    texts(folder.write("pretty.json", "[\n{\"text\": \"one\"}\n]\n"));
    FAIL();
  } catch (const Refusal& e) {
    EXPECT_SAYS(e.what(), "pretty.json: is one JSON list, not an object on each line. HINT: convert the file: cat ");
  }
}

TEST(Documents, AreRefusedWhereThereAreNone) {
  test::TemporaryFolder folder;
  folder.write("a.md", "no");
  EXPECT_THROW(corpus_files(folder / "none"), Refusal);
  try {
    corpus_files(folder.path().string());
    FAIL();
  } catch (const Refusal& e) {
    EXPECT_SAYS(e.what(), "has no *.txt and no *.jsonl");
  }
}

TEST(Documents, ALargeOneIsReadInPartsThatMakeTheWhole) {
  test::TemporaryFolder folder;
  test::Rng rng(test::test_seed());
  std::string text;
  while (text.size() < 5 * Parts::kPartBytes) text += random_text(rng, 1000, true);
  const std::string file = folder.write("a", text);
  const auto parts = parts_of({file, folder.write("b", "next")}, bytes({std::string(kGpt2Pattern)}));
  ASSERT_GT(parts.size(), 4u);
  std::string whole;
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    EXPECT_EQ(parts[i].number, i);
    EXPECT_EQ(parts[i].offset, whole.size());
    EXPECT_EQ(parts[i].ends_document, i + 2 == parts.size());
    whole += parts[i].text;
  }
  EXPECT_EQ(whole, text);
  EXPECT_EQ(parts.back().text, "next");
  EXPECT_EQ(parts_of({file}, bytes({"a"})).size(), 1u) << "a pattern of which nothing is known leaves it whole";
}

TEST(Documents, LinesThatAreNoneAreNamed) {
  test::TemporaryFolder folder;
  const auto refused = [&](const std::string& text) -> std::string {
    const std::string file = folder.write("x.jsonl", text);
    try {
      for (const Part& part : parts_of({file}, bytes({}))) for_each_document(part, "body", [](auto, bool) {});
    } catch (const Refusal& e) {
      return e.what();
    }
    return "nothing is refused";
  };
  const std::string good = "{\"body\": \"a\\nb\"}\n";
  EXPECT_EQ(refused(good + "\n \r\n" + good), "nothing is refused");
  EXPECT_SAYS(refused(good + "\n" + good + "{\"body\": \"a\""), "x.jsonl:4: is not JSON");
  EXPECT_SAYS(refused(good + "[]\n" + good), "x.jsonl:2: is not a JSON object");
  EXPECT_SAYS(
      refused(good + "{\"text\": \"a\", \"n\": 1}\n"),
      "x.jsonl:2: has no text \"body\"; its texts are \"text\". HINT: name the field that has it: --field NAME");
  EXPECT_SAYS(refused(good + "{\"body\": 3}\n"),
              "x.jsonl:2: has no text \"body\": the field is a JSON number. HINT: write it in quotation marks");
  EXPECT_SAYS(refused("{\"body\": \"\xff\"}\n"), "x.jsonl:1: is not JSON at byte 11: invalid string: ill-formed UTF-8");
  EXPECT_SAYS(refused(R"({"body": "a\ud800"})"),
              "surrogate U+D800..U+DBFF must be followed by U+DC00..U+DFFF. HINT: write "
              "the character itself");
  std::string many;  // more than a part
  std::uint64_t lines = 0;
  for (; many.size() < 3 * Parts::kPartBytes; ++lines) many += good;
  EXPECT_SAYS(refused(many + "?"), "x.jsonl:" + std::to_string(lines + 1) + ": is not JSON");
}

TEST(Documents, NumbersThatPythonAloneWritesAreNoFault) {
  test::TemporaryFolder folder;
  const std::string file =
      folder.write("x.jsonl", "{\"score\": NaN, \"text\": \"NaN\"}\n{\"text\": \"b\", \"max\": [-Infinity]}\n");
  std::string all;
  for (const Part& part : parts_of({file}, bytes({})))
    for_each_document(part, "text", [&](std::string_view text, bool) { all += std::string(text) + "."; });
  EXPECT_EQ(all, "NaN.b.");
}

/// The datasets of Alpaca and others are published in this form.
TEST(Documents, AListOrAnObjectOverLinesIsNamedWithTheCommandThatWritesLines) {
  test::TemporaryFolder folder;
  const auto refused = [&](const std::string& name, const std::string& text) -> std::string {
    const std::string file = folder.write(name, text);
    try {
      for (const Part& part : parts_of({file}, bytes({}))) for_each_document(part, "text", [](auto, bool) {});
    } catch (const Refusal& e) {
      return e.what();
    }
    return "nothing is refused";
  };
  EXPECT_SAYS(refused("x.json", "[{\"text\": \"a\"},\n {\"text\": \"b\"}]\n"),
              "x.json: is one JSON list, not an object on each line. HINT: convert the file: cat ");
  EXPECT_SAYS(refused("x.json", "[{\"text\": \"a\"}]"), "x.json: is one JSON list");
  EXPECT_SAYS(refused("x.json", "{\n\"text\": \"a\"\n}\n"), "x.json: is one JSON object");
  EXPECT_SAYS(refused("x.json.gz", gzip("[\n1]")), "x.json.gz | python3 -c \"import json,sys;");
  EXPECT_SAYS(refused("x.jsonl", "{\"text\": \"a"), "x.jsonl:1: is not JSON at byte 11: ");
  EXPECT_SAYS(refused("x.jsonl", "[1]\n[2]\n"), "x.jsonl:1: is not a JSON object");
}

TEST(Documents, WordsAreCountedForEveryNumberOfThreads) {
  test::TemporaryFolder folder;
  test::Rng rng(test::test_seed());
  std::string text;
  while (text.size() < 3 * Parts::kPartBytes) text += random_text(rng, 1000, true);
  const std::string file = folder.write("a.txt", text);
  const ByteBpe tokenizer = bytes({std::string(kGpt2Pattern)});
  const auto count = [&](int threads) {
    Parts parts({file}, tokenizer);
    return count_words(parts, "text", threads, [](auto, auto) {});
  };
  const WordCounts one = count(1);
  EXPECT_GT(one.at("word"), 1000u);
  EXPECT_EQ(count(3), one);
}

}  // namespace
}  // namespace weft::tokenizer
