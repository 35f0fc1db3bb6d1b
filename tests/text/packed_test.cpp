#include "tests/text/packed.hpp"

#include <gtest/gtest.h>

#include "host/text/shards/byte_input.hpp"
#include "sw/base/refusal.hpp"
#include "tests/appliance/temporary_folder.hpp"
#include "tests/says.hpp"
#include "tests/text/random_text.hpp"

namespace weft::text {
namespace {

std::string all_of(const std::string& path) {
  const auto input = open_input(path);
  std::string text;
  while (input->read(text)) {
  }
  EXPECT_EQ(input->taken(), std::filesystem::file_size(path));
  return text;
}

std::string refusal_of(const std::string& path) {
  try {
    all_of(path);
  } catch (const Refusal& e) {
    return e.what();
  }
  return "";
}

/// Some MB, so that it takes several reads.
std::string long_text() {
  test::Dice dice(test::test_seed());
  return random_text(dice, 400000, true);
}

TEST(Packed, TextIsWhatWasPackedWhateverItsName) {
  TemporaryFolder folder;
  for (const std::string& text : {std::string("x"), std::string(), std::string(1 << 20, 'a'), long_text()}) {
    EXPECT_EQ(all_of(folder.write("a", text)), text);
    EXPECT_EQ(all_of(folder.write("b", gzip(text))), text);
    EXPECT_EQ(all_of(folder.write("c", zstandard(text))), text);
    EXPECT_EQ(all_of(folder.write("d", gzip(text) + gzip("more"))), text + "more");
    EXPECT_EQ(all_of(folder.write("e", zstandard(text) + zstandard("more"))), text + "more");
  }
}

TEST(Packed, WhatIsCutShortOrDamagedIsRefused) {
  TemporaryFolder folder;
  const std::string text = "some text, and some more of it, and again some text";
  for (const bool gz : {true, false}) {
    const std::string packed = gz ? gzip(text) : zstandard(text);
    for (std::size_t length = 4; length < packed.size(); ++length)
      EXPECT_SAYS(refusal_of(folder.write("cut", packed.substr(0, length))), "cut: is cut short after ");
    for (std::size_t at = gz ? 10 : 5; at < packed.size(); ++at) {  // behind what says which packing it is
      std::string damaged = packed;
      damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
      EXPECT_NE(refusal_of(folder.write("damaged", damaged)), "") << at;
    }
    EXPECT_SAYS(refusal_of(folder.write("rest", packed + "rest of something")),
                "rest: is damaged after 51 bytes of text");
  }
}

TEST(Packed, WhatIsNoFileIsRefused) {
  TemporaryFolder folder;
  EXPECT_SAYS(refusal_of(folder / "nothing"), "cannot be opened: No such file");
  EXPECT_SAYS(refusal_of(folder.path().string()), "is no file");
}

}  // namespace
}  // namespace weft::text
