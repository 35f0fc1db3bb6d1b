/// Invalid texts that the YAML library silently accepts, and texts that are only unusual.
#include "sw/network/yaml_fault.hpp"

#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

namespace weft::network {
namespace {

std::string said(const std::string& text) {
  const auto fault = yaml_fault(text);
  return fault ? std::to_string(fault->line) + ": " + fault->problem : "";
}

TEST(YamlFault, UnusualTextsAreTaken) {
  for (const std::string text : {"", "a: 1\n", "---\na: 1\n", "%YAML 1.1\n---\na: 1\n", "a: 1\n...\n",
                                 "\xef\xbb\xbf"
                                 "a: 1\r\nb: 2\r\n",
                                 "a: !!str 5\nb: !!int 6\nc: !!map {d: !!seq [1]}\ne: ! x\nf: 'q'\n", "a: x\ty\n",
                                 "a: \"x\ty\" # a\tb\n", "a: |\n  \tx\n   \ty: z\nb: 1\n", "a: [\"x\n\ty\", z]\n",
                                 "a: [x\ty, z]\n", "a: &one {b: 1}\nc: *one\n", "a: 1\t\nb: 2\n", "a: caf\xc3\xa9\n"})
    EXPECT_EQ(said(text), "") << text;
  const std::string wide(
      "\xff\xfe"
      "a\0:\0 \0001\0\n\0",
      12);
  EXPECT_EQ(said(wide), "") << "UTF-16, which the library converts";
}

TEST(YamlFault, TabsBeforeKeysAndValuesAreFound) {
  for (const std::string text : {"a: 1\nb:\tx\n", "a: 1\nb: {c: 1,\td: 2}\n", "a: 1\nb: [1,\t2]\n", "a: 1\n-\tx\n",
                                 "a: 1\nb: \t[x]\n", "a: &x 1\nb:\t*x\n"})
    try {
      EXPECT_EQ(said(text), "2: a tab is before a key or a value") << text;
    } catch (const YAML::Exception& e) {
      EXPECT_EQ(yaml_tab(text, e.mark.line + 1)->line, 2) << text;
    }
  EXPECT_EQ(said("a:\n\tb\n"), "2: a tab is before a key or a value");
}

TEST(YamlFault, ASecondDocumentIsFoundWhateverBeginsIt) {
  EXPECT_EQ(said("a: 1\n---\nb: 2\n"), "2: has more than one YAML document");
  EXPECT_EQ(said("a: 1\n---\n"), "2: has more than one YAML document");
  EXPECT_EQ(said("---\n---\na: 1\n"), "2: has more than one YAML document");
  EXPECT_EQ(said("a: 1\n...\n# a comment\nb: 2\n"), "4: has more than one YAML document");
}

}  // namespace
}  // namespace weft::network
