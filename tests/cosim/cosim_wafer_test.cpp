#include "verif/cosim/cosim_wafer.hpp"

#include <gtest/gtest.h>

namespace weft::cosim {
namespace {

/// A wafer with constant outputs, except for those that a test changes.
class Puppet final : public Wafer {
 public:
  const machine::WaferShape& shape() const override { return shape_; }
  void feed(std::span<const machine::Message>) override {}
  void await(std::span<const std::uint64_t>) override {}
  void settle() override {}
  void reset() override {
    for (auto& words : outlets) words.clear();
    work = {};
  }
  std::vector<std::uint32_t>& outlet(int row) override { return outlets[static_cast<std::size_t>(row)]; }
  std::vector<std::uint16_t> sram(int, int) const override { return memory; }
  WaferCounters counters() const override { return work; }
  std::string flags() const override { return ""; }

  std::vector<std::vector<std::uint32_t>> outlets = {{}, {}};
  std::vector<std::uint16_t> memory = {1, 2, 3};
  WaferCounters work;

 private:
  machine::WaferShape shape_{.rows = 2, .cols = 1};
};

struct Pair {
  Puppet *a = new Puppet, *b = new Puppet;
  std::unique_ptr<Wafer> both = make_cosim_wafer("a", std::unique_ptr<Wafer>(a), "b", std::unique_ptr<Wafer>(b));

  std::string complaint() {
    try {
      both->settle();
      return "";
    } catch (const CosimMismatch& e) {
      return e.what();
    }
  }
};

TEST(CosimWafer, HandsOutWhatBothAgreeOn) {
  Pair p;
  p.a->outlets[0] = {5, 6, 7};
  p.b->outlets[0] = {5, 6};
  p.both->await({});
  EXPECT_EQ(p.both->outlet(0), (std::vector<std::uint32_t>{5, 6}));
  p.b->outlets[0] = {7};
  EXPECT_EQ(p.complaint(), "");
  EXPECT_EQ(p.both->outlet(0), (std::vector<std::uint32_t>{5, 6, 7}));
}

TEST(CosimWafer, NamesTheFirstMessageThatDiffers) {
  Pair p;
  p.a->outlets[1] = {5, 6, 7};
  p.b->outlets[1] = {5, 6, 8};
  EXPECT_EQ(p.complaint(), "row 1 outlet message 2: a 0x00000007, b 0x00000008 (cycle 0)");
}

TEST(CosimWafer, CountsMessagesFromTheLastReset) {
  Pair p;
  p.a->outlets[1] = {5, 6, 7};
  p.b->outlets[1] = {5, 6};
  p.both->await({});
  p.both->reset();
  EXPECT_TRUE(p.both->outlet(1).empty());
  EXPECT_EQ(p.complaint(), "") << "a word ahead is gone";
  p.a->outlets[1] = {8};
  p.b->outlets[1] = {9};
  EXPECT_EQ(p.complaint(), "row 1 outlet message 0: a 0x00000008, b 0x00000009 (cycle 0)");
}

TEST(CosimWafer, NoticesAMessageTooMany) {
  Pair p;
  p.a->outlets[0] = {5};
  EXPECT_EQ(p.complaint(), "row 0 has delivered: a 1, b 0 (cycle 0)");
}

TEST(CosimWafer, NamesTheFirstElementOfMemoryThatDiffers) {
  Pair p;
  p.b->memory[1] = 9;
  EXPECT_EQ(p.complaint(), "row 0 column 0 memory element 1: a 0x0002, b 0x0009 (cycle 0)");
}

TEST(CosimWafer, ComparesTheWorkDone) {
  Pair p;
  p.b->work.beats = 3;
  EXPECT_EQ(p.complaint(), "beats: a 0, b 3 (cycle 0)");
}

}  // namespace
}  // namespace weft::cosim
