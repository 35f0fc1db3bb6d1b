/// Names of unfinished files, and the writer's identity that they contain.
#include "sw/base/part_name.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace weft::test {
namespace {

TEST(PartName, NoTwoAreTheSameAndTheWriterRuns) {
  const std::string first = part_name("a.bin"), second = part_name("a.bin");
  EXPECT_NE(first, second);
  EXPECT_TRUE(first.starts_with(".a.bin.weft-part.")) << first;
  EXPECT_EQ(part_writer(first), PartWriter::Runs) << first;
}

TEST(PartName, AProcessThatIsGoneOrHasAnotherStartHasEnded) {
  const std::string name = part_name("a");
  const std::size_t number = name.rfind('.'), start = name.rfind('.', number - 1), process = name.rfind('.', start - 1);
  EXPECT_EQ(part_writer(name.substr(0, start + 1) + "1" + name.substr(number)), PartWriter::Ended) << "another start";
  EXPECT_EQ(part_writer(name.substr(0, process + 1) + "999999999" + name.substr(start)), PartWriter::Ended);
}

TEST(PartName, NothingIsKnownOfAProcessOfAnotherMachine) {
  EXPECT_EQ(part_writer(".a.weft-part.00000000.1.abc.0"), PartWriter::Elsewhere);
}

TEST(PartName, OtherNamesAreNone) {
  for (const char* name : {"", ".", "a", ".a.weft-part", ".a.weft-part.1", "a.weft-part.00000000.1.abc.0",
                           ".a.weft-part.00000000.1.abc.0.hier", ".a.weft-part.0000000.1.abc.0",
                           ".a.weft-part.00000000.x.abc.0", ".weft-part.00000000..abc.0"})
    EXPECT_EQ(part_writer(name), PartWriter::None) << name;
}

TEST(PartName, ALongNameIsCutBetweenCharacters) {
  std::string name = "x";
  while (name.size() < 250) name += "\xc3\xa4";
  const std::string part = part_name(name), kept = part.substr(1, part.find(".weft-part") - 1);
  EXPECT_LT(part.size(), 200U);
  EXPECT_EQ(kept.size() % 2, 1U) << kept;
}

}  // namespace
}  // namespace weft::test
