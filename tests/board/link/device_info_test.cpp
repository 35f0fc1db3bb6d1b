/// The ABOUT frame: a board's description of itself.
#include "host/board/link/device_info.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "host/board/shape_check.hpp"
#include "sw/base/refusal.hpp"
#include "tests/board/fake_board.hpp"

namespace weft::board {
namespace {

const machine::WaferShape kShape{.rows = 4, .cols = 2, .lanes = 4, .sram_kib = 24, .colors = isa::kColors};

TEST(DeviceInfo, SurvivesARoundTrip) {
  const DeviceInfo info = info_of(kShape);
  const Bytes bytes = info_bytes(info);
  ASSERT_EQ(bytes.size(), 48U);
  EXPECT_EQ(decode_device_info(bytes), info);
  EXPECT_EQ(info.text(), "fake, 4 x 2 tiles, 4 lanes, 24 KiB, 4 colors, links of 4, 40 MHz, build 0123456789abcdef");
  DeviceInfo wide = info;
  wide.colors = 5;
  wide.all_turns = true;
  EXPECT_EQ(decode_device_info(info_bytes(wide)), wide);
  EXPECT_EQ(wide.text(),
            "fake, 4 x 2 tiles, 4 lanes, 24 KiB, 5 colors and all turns, links of 4, 40 MHz, build 0123456789abcdef");
}

TEST(DeviceInfo, OtherVersionOrImpossibleBoardIsRejected) {
  const DeviceInfo good = info_of(kShape);
  EXPECT_FALSE(decode_device_info(info_bytes(good, 1)));
  const Bytes bytes = info_bytes(good);
  for (std::size_t size = 0; size < 48; ++size) EXPECT_FALSE(decode_device_info(std::span(bytes).first(size)));
  const auto changed = [&](auto change) {
    DeviceInfo info = good;
    change(info);
    return decode_device_info(info_bytes(info)).has_value();
  };
  EXPECT_FALSE(changed([](DeviceInfo& a) { a.rows = 0; }));
  EXPECT_FALSE(changed([](DeviceInfo& a) { a.tally = 24; }));
  EXPECT_FALSE(changed([](DeviceInfo& a) { a.rows = 17; }));
  EXPECT_FALSE(changed([](DeviceInfo& a) { a.cols = 0; }));
  EXPECT_FALSE(changed([](DeviceInfo& a) { a.cols = 200; }));
  EXPECT_FALSE(changed([](DeviceInfo& a) { a.lanes = 3; }));
  EXPECT_FALSE(changed([](DeviceInfo& a) { a.sram_kib = 0; }));
  EXPECT_FALSE(changed([](DeviceInfo& a) { a.entries = 0; }));
  EXPECT_FALSE(changed([](DeviceInfo& a) { a.room = 0; }));
  EXPECT_TRUE(changed([](DeviceInfo& a) { a.rows = 16; }));
}

std::string refusal(const machine::WaferShape& shape, const machine::WaferShape& board = kShape) {
  try {
    check_shape(info_of(board), shape, "/dev/ttyUSB0");
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
  return "fits";
}

TEST(ShapeCheck, SaysKeyByKeyWhatToSet) {
  EXPECT_EQ(refusal(kShape), "fits");
  machine::WaferShape less = kShape;
  less.sram_kib = 20;
  EXPECT_EQ(refusal(less), "fits");
  EXPECT_EQ(refusal({.rows = 4, .cols = 4, .lanes = 8, .sram_kib = 48, .valves = 2}),
            "fpga.device: /dev/ttyUSB0: wafer.cols is 4, the board has 2; wafer.lanes is 8, the board has 4; "
            "wafer.sram_kib is 48, the board has 24; wafer.valves is 2, the board has 1. HINT: set wafer.cols 2, "
            "wafer.lanes 4, wafer.sram_kib 24, wafer.valves 1.");
}

TEST(ShapeCheck, RefusesAProgramWhereWTurnsAround) {
  machine::WaferShape wide = kShape;
  wide.cols = machine::WaferShape::kColsToTurn;
  wide.turns = false;
  EXPECT_EQ(refusal(wide, wide), "fits");
  wide.turns = true;
  EXPECT_EQ(refusal(wide, wide),
            fmt::format("fpga.device: /dev/ttyUSB0: W turns around in the last of {} columns, which the routers of "
                        "boards do not support. HINT: use --backend fpga for what is compiled.",
                        wide.cols));
}

TEST(Status, SaysWhereFlagsAre) {
  Status status{.rows = 1, .cols = 2, .flags = {1 << 2, 0, 1 | 1 << 6}};
  EXPECT_EQ(status.flags_text(), "row 0 edge NO_ROW, row 0 column 1 NO_ROUTE, row 0 column 1 BAD_ADDRESS");
}

}  // namespace
}  // namespace weft::board
