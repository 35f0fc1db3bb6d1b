/// Build numbers of weft.build files and of sources, and their comparison with a board's.
#include "host/cli/boards/bitstreams.hpp"

#include <gtest/gtest.h>

#include "tests/temporary_folder.hpp"

namespace weft::cli {
namespace {

using Kind = BuildVerdict::Kind;

board::DeviceInfo ulx3s(std::uint64_t build) {
  return {.rows = 4, .cols = 2, .lanes = 4, .sram_kib = 24, .khz = 40000, .build = build, .name = "ulx3s"};
}

TEST(Bitstreams, AreReadFromTheirFolders) {
  const test::TemporaryFolder folder;
  folder.write("ulx3s/weft.build", "build = 00000000000000ab\nboard = ulx3s\ntitle = ULX3S-85F\n");
  folder.write("ecpix5/weft.build", "build = 00000000000000cd\nboard = ecpix5\nip = 192.168.1.77\n");
  folder.write("none/weft.build", "build = xyz\nboard = none\n");
  folder.write("short/weft.build", "build = ab\nboard = short\n");
  folder.write("tile/netlist.json", "{}");
  const auto found = find_bitstreams(folder.path());
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].ip, "192.168.1.77");
  EXPECT_EQ(found[1].board, "ulx3s");
  EXPECT_EQ(found[1].build, 0xabU);
  EXPECT_EQ(found[1].ip, "");
  EXPECT_TRUE(find_bitstreams(folder.path() / "nowhere").empty());
}

TEST(Bitstreams, SourcesNumberABoardOfTheSameMesh) {
  const auto number = number_of_sources(WEFT_SOURCE, ulx3s(0));
  ASSERT_TRUE(number);
  board::DeviceInfo other = ulx3s(0);
  EXPECT_EQ(number_of_sources(WEFT_SOURCE, other), number);
  other.rows = 2;
  EXPECT_NE(number_of_sources(WEFT_SOURCE, other), number);
}

TEST(Bitstreams, ANameThatIsNoBoardsHasNoNumber) {
  for (const char* name : {"", "nobody", "../boards/ulx3s", "$(false)", "ulx3s ecpix5", "-x"}) {
    board::DeviceInfo about = ulx3s(0);
    about.name = name;
    EXPECT_FALSE(number_of_sources(WEFT_SOURCE, about)) << name;
  }
  EXPECT_FALSE(number_of_sources("/nowhere", ulx3s(0)));
}

TEST(Bitstreams, ABuildIsThatOfTheSourcesOrOlderOrUnknown) {
  EXPECT_EQ(judge_build(ulx3s(7), 7, {}, "").kind, Kind::Same);
  const BuildVerdict older = judge_build(ulx3s(7), 8, {}, load_command(WEFT_SOURCE, "ulx3s"));
  EXPECT_EQ(older.kind, Kind::Older);
  EXPECT_EQ(
      older.text,
      "build 0000000000000007 differs from that of the sources here (0000000000000008), so the bitstream is older; the "
      "link's protocol is the same (version 2)");
  EXPECT_EQ(older.hint, "to use the RTL of these sources: make fpga BOARD=ulx3s, then make flash BOARD=ulx3s");
  const std::vector<Bitstream> release = {{.folder = "/r/ulx3s", .board = "ulx3s", .build = 7}};
  EXPECT_EQ(judge_build(ulx3s(7), {}, release, "").text, "build 0000000000000007, that of /r/ulx3s");
  EXPECT_EQ(judge_build(ulx3s(9), {}, release, "").kind, Kind::Older);
  EXPECT_EQ(judge_build(ulx3s(9), {}, {}, "").kind, Kind::Unknown);
}

TEST(Bitstreams, WithoutSourcesAndReleaseTheCommandSaysWhereItCanBeGiven) {
  EXPECT_EQ(load_command(WEFT_SOURCE, "ulx3s"), "make flash BOARD=ulx3s");
  EXPECT_EQ(load_command("/nowhere", "of_no_release"), "in a source tree of Weft, make flash BOARD=of_no_release");
}

}  // namespace
}  // namespace weft::cli
