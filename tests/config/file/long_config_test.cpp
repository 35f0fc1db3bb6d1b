/// Parameter files longer, wider or deeper than anyone writes.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "host/config/config.hpp"
#include "host/config/file/load.hpp"
#include "tests/config/good_config.hpp"

namespace weft::config {
namespace {

/// The error of `parse_config` for a text, without the limit on a file's length.
std::string said_of(const std::string& text, const std::vector<Override>& overrides = {}) {
  try {
    parse_config(text, "mine.yaml", overrides);
  } catch (const Refusal& e) {
    return e.what();
  }
  return "no error";
}

std::string numbered(const std::string& before, int count, const std::string& after) {
  std::string text;
  for (int k = 0; k < count; ++k) text += before + std::to_string(k) + after;
  return text;
}

std::string times(int count, const std::string& what) {
  std::string text;
  for (int k = 0; k < count; ++k) text += what;
  return text;
}

/// Texts beyond a file's length limit; with quadratic work they would take from a quarter of an hour to days.
TEST(LongConfig, ManySections) {
  EXPECT_EQ(said_of(numbered("k", 1000, ": 1\n")).rfind("mine.yaml:1: k0: unknown section.", 0), 0U);
  EXPECT_EQ(said_of(numbered("k", 200'000, ": 1\n") + "k7: 2\n"),
            "mine.yaml:200001: k7: given twice, first at mine.yaml:8. HINT: put all its keys into one.");
}

TEST(LongConfig, ManyKeys) {
  EXPECT_EQ(said_of("model:\n" + numbered("  k", 1000, ": 1\n")).rfind("mine.yaml:2: model.k0: unknown key.", 0), 0U);
  EXPECT_EQ(said_of("model:\n" + numbered("  k", 200'000, ": 1\n") + "  k7: 2\n"),
            "mine.yaml:200002: model.k7: given twice, first at mine.yaml:9. HINT: remove one.");
}

TEST(LongConfig, ManyMerges) {
  const std::string keys = "&a {" + numbered("k", 50'000, ": 1, ") + "k: 1}";
  EXPECT_EQ(said_of("wafer: {<<: " + keys + "}").rfind("mine.yaml:1: wafer.k0: unknown key.", 0), 0U);
  EXPECT_EQ(said_of("wafer: {<<: [" + keys + times(50'000, ", *a") + "]}"),
            "mine.yaml:1: wafer.<<: merges more than 100000 keys. HINT: write out those that are meant.");
}

TEST(LongConfig, LongWords) {
  const std::string word(1'000'000, 'x');
  EXPECT_EQ(said_of("model: {? " + word + " : 1}").substr(0, 30), "mine.yaml:1: model.xxxxxxxxxxx");
  EXPECT_EQ(said_of("? " + word + "\n: 1\n").substr(0, 30), "mine.yaml:1: xxxxxxxxxxxxxxxxx");
  EXPECT_EQ(said_of(kGood, {{word, "1"}}).substr(0, 30), "command line: xxxxxxxxxxxxxxxx");
  EXPECT_EQ(said_of(kGood, {{"model." + word, "1"}}).substr(0, 30), "command line: model.xxxxxxxxxx");
}

TEST(LongConfig, PatternsForManyTensors) {
  const std::vector<Override> layers = {{"model.num_hidden_layers", "1024"}, {"sparsity.sparsity", "0.5"}};
  const auto filter = [&](const std::string& value) {
    std::vector<Override> all = layers;
    all.push_back({"sparsity.params_filter", value});
    return said_of(kGood, all);
  };
  const std::string key = "command line: sparsity.params_filter: ";
  for (const std::string& word : {std::string(100'000, 'x'), std::string(100'000, '*'), std::string(100'000, '?')}) {
    EXPECT_EQ(filter("\"" + word + "\""),
              key +
                  "has a pattern of 100000 bytes, more than 256. HINT: use names of tensors, e.g. "
                  "h.*.mlp.c_fc.weight.");
  }
  EXPECT_EQ(filter("\"" + times(100, "*t") + "x\"").substr(0, 42), key + "\"*t*");
  EXPECT_EQ(filter("[" + times(300, "h.*.mlp.c_fc.weight, ") + "]"),
            key + "has 300 patterns, more than 256. HINT: use patterns that match more.");
  EXPECT_EQ(filter("[" + times(256, "h.*.mlp.c_fc.weight, ") + "]"), "no error");
}

TEST(LongConfig, NestedDeeplyIsRefusedAndNotFollowed) {
  for (const std::string open : {"[", "{a: ", "- ", "? "}) {
    const std::string said = said_of("model: " + times(300'000, open));
    EXPECT_EQ(said.rfind("mine.yaml:1: not YAML: ", 0), 0U) << said;
  }
  EXPECT_EQ(said_of("model: " + times(300'000, "[")),
            "mine.yaml:1: not YAML: the text is nested too deeply. HINT: check indentation, quotes and brackets.");
  EXPECT_EQ(
      said_of(kGood, {{"optimizer.betas", times(100'000, "[")}}),
      "command line: optimizer.betas: not YAML: the text is nested too deeply. HINT: check indentation, quotes and "
      "brackets.");
}

}  // namespace
}  // namespace weft::config
