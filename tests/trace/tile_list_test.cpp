/// Tiles and windows in the user's notation.
#include "verif/trace/tile_list.hpp"

#include <gtest/gtest.h>

#include "sw/base/refusal.hpp"

namespace weft::trace {
namespace {

const machine::WaferShape kShape{.rows = 4, .cols = 3};
using Tiles = std::vector<sim::TilePlace>;

TEST(TileList, OneARangeOrAll) {
  EXPECT_EQ(parse_tiles("2,1", kShape), (Tiles{{2, 1}}));
  EXPECT_EQ(parse_tiles("0-2,1", kShape), (Tiles{{0, 1}, {1, 1}, {2, 1}}));
  EXPECT_EQ(parse_tiles("2-3,0-1", kShape), (Tiles{{2, 0}, {2, 1}, {3, 0}, {3, 1}}));
  EXPECT_EQ(parse_tiles("all", kShape).size(), 12u);
}

TEST(TileList, InvalidListIsRejected) {
  for (const char* bad : {"", "2", "4,0", "0,3", "2-1,0", "a,b", "1,2,0", "-1,0", "0,-1", "1-,0", " 1,0"})
    EXPECT_THROW(parse_tiles(bad, kShape), Refusal) << bad;
}

TEST(TileList, WindowsOfCycles) {
  EXPECT_EQ(parse_cycles("100-400").from, 100u);
  EXPECT_EQ(parse_cycles("100-400").to, 400u);
  EXPECT_EQ(parse_cycles("400").from, 0u);
  EXPECT_EQ(parse_cycles("100-").to, ~std::uint64_t{0});
  for (const char* bad : {"", "-", "400-100", "5-5", "x", "1-2-3", "0"})
    EXPECT_THROW(parse_cycles(bad), Refusal) << bad;
}

}  // namespace
}  // namespace weft::trace
