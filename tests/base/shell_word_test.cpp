#include "sw/base/shell_word.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <string>

namespace weft::test {
namespace {

/// The word after a shell has expanded it.
std::string read_by_shell(const std::string& word) {
  std::string text;
  FILE* pipe = ::popen(("printf '%s|' " + word).c_str(), "r");
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
  ::pclose(pipe);
  return text;
}

TEST(ShellWord, PlainWordIsUnchanged) {
  for (const std::string plain : {"out/waves/step1.h.0.ln_1.gtkw", "1e-3", "udp:10.0.0.5:77", "--key=a,b"})
    EXPECT_EQ(shell_word(plain), plain);
}

TEST(ShellWord, AnyTextIsOneWordOfAShell) {
  std::string all;
  for (int c = 1; c < 256; ++c) all += static_cast<char>(c);
  for (const std::string& text :
       {all, std::string(), std::string("my file.yaml"), std::string("it's"), std::string("''"),
        std::string("$HOME `x` \\ *"), std::string("~"), std::string("a\nb"), std::string("[0.9, 0.99]"),
        std::string("#x"), std::string("a;b&c|d>e")})
    EXPECT_EQ(read_by_shell(shell_word(text)), text + "|");
}

}  // namespace
}  // namespace weft::test
