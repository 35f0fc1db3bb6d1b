/// The answers of a viewer's process filter.
#include "verif/trace/filter.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "sw/base/refusal.hpp"

namespace weft::trace {
namespace {

TEST(Filter, MessagesHaveAHueForEachColorAndOneForCommands) {
  TraceNames names;
  names.messages.rows = 4;
  EXPECT_EQ(words_of(WordsMode::Message, "00C0113D80", names, false), "W 17 -> row 3 0.0625");
  const std::string weight = words_of(WordsMode::Message, "00C0113D80", names, true);
  const std::string sum = words_of(WordsMode::Message, "013FE00000", names, true);
  const std::string command = words_of(WordsMode::Message, "2000000000", names, true);
  EXPECT_TRUE(weight.ends_with("?W 17 -> row 3 0.0625")) << weight;
  EXPECT_TRUE(sum.ends_with("?PSUM 1.75")) << sum;
  EXPECT_TRUE(command.ends_with("?CMD CR")) << command;
  const auto hue = [](const std::string& text) { return text.substr(0, text.find('?', 1)); };
  EXPECT_NE(hue(weight), hue(sum));
  EXPECT_NE(hue(weight), hue(command));
}

TEST(Filter, LanesAreDecimalsTheFirstOneFirst) {
  EXPECT_EQ(words_of(WordsMode::Bf16, "C04040003F803D80", {}, true), "0.0625 1 2 -3");
  EXPECT_EQ(words_of(WordsMode::Fp32, "3FE00000BF800000", {}, true), "-1 1.75");
  EXPECT_EQ(words_of(WordsMode::Fp32, "zzzzzzzzBF800000", {}, true), "-1 -");
}

TEST(Filter, AbsentValueIsADashAndNonValueIsUnchanged) {
  EXPECT_EQ(words_of(WordsMode::Message, "zzzzzzzzzz", {}, true), "-");
  EXPECT_EQ(words_of(WordsMode::Message, "xx", {}, true), "-");
  EXPECT_EQ(words_of(WordsMode::Pc, "nonsense!", {}, true), "nonsense!");
  EXPECT_EQ(words_of(WordsMode::Message, "", {}, true), "");
}

TEST(Filter, TooWideValueIsReportedNotCut) {
  TraceNames names;
  names.instructions = {{3, "li r8, 3"}};
  EXPECT_EQ(words_of(WordsMode::Message, "4000000000", names, true), "4000000000: more than 38 bits");
  EXPECT_EQ(words_of(WordsMode::Message, "10000000000000000", names, true), "10000000000000000: more than 38 bits");
  EXPECT_EQ(words_of(WordsMode::Message, "0002000000000", names, false), "CMD CR");
  EXPECT_EQ(words_of(WordsMode::Flags, "100", names, true), "100: more than 8 flags");
  EXPECT_EQ(words_of(WordsMode::Pc, "100000003", names, true), "100000003");
}

TEST(Filter, FlagsHaveTheirNames) {
  EXPECT_EQ(words_of(WordsMode::Flags, "00", {}, true), "-");
  EXPECT_EQ(words_of(WordsMode::Flags, "11", {}, true), "NO_ROUTE BAD_INSTR");
}

TEST(Filter, NamesComeBackFromTheirFile) {
  TraceNames names;
  names.messages = {.rows = 8, .kernels = {{12, "gemm"}, {40, "loss"}}, .pairs = 2};
  names.instructions = {{3, "li r8, 3  gemm k.s:2"}};
  std::stringstream file;
  write_names(names, file);
  file << "colour 4 of a newer program\nand nonsense\n";
  const TraceNames read = read_names(file);
  EXPECT_EQ(read.messages.rows, 8);
  EXPECT_EQ(read.messages.pairs, 2u);
  EXPECT_EQ(read.messages.kernels, names.messages.kernels);
  EXPECT_EQ(read.instructions, names.instructions);
  EXPECT_EQ(words_of(WordsMode::Pc, "003", read, true), "li r8, 3  gemm k.s:2");
}

TEST(Filter, AnUnknownKindIsRefused) { EXPECT_THROW(words_mode("fp64"), Refusal); }

}  // namespace
}  // namespace weft::trace
