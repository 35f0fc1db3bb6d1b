/// The debug chain of a wafer with the colors and turns of a simulated one: a tile has more than the 16 status words of
/// a board's tile.
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "Vweft_wafer_chain.h"
#include "sw/asm/assembler.hpp"
#include "tests/clock.hpp"

namespace weft::test {
namespace {

// As tests/debug/CMakeLists.txt makes it: one tile, so two nodes, the cell's first.
constexpr int kColors = 5;
constexpr unsigned kCreditBits = 3, kQueueBits = 5;  // bits for links of four messages
constexpr unsigned kFixedBits = 110, kEndsBits = 8, kFrontBits = 3;
constexpr unsigned kPeBits = kFixedBits + kEndsBits + kFrontBits + kColors * (kQueueBits + kCreditBits);
constexpr unsigned kPairs = 5 * kColors;  // queues, and as many credit counters
constexpr unsigned kBits = kPeBits + kPairs * (kQueueBits + kCreditBits) + 2;
constexpr unsigned kWords = (kBits + 15) / 16;
static_assert(kWords > 16);

/// A command to a node (docs/reference/debug_chain.md).
struct Request {
  bool halt = true, run = false, psum = false;
  unsigned index = 0, word = 0;
  std::uint64_t bits() const {
    const bool above = run ? psum : index >= 16;
    return std::uint64_t{halt} << 39 | std::uint64_t{run} << 37 | std::uint64_t{above} << 36 |
           std::uint64_t{index & 15} << 32 | word;
  }
};

struct Wafer {
  Wafer() {
    dut.sram_kib_i = 4;
    dut.outlet_ready_i = 1;
    dut.rst_i = 1;
    for (int i = 0; i < 4; ++i) clock(dut);
    dut.rst_i = 0;
    rest();
  }
  /// Runs a transaction with a command to the tile. Returns the status word that the previous command requested.
  unsigned send(const Request& c) {
    const std::array<std::uint64_t, 2> down{0, c.bits()};
    std::array<std::uint64_t, 2> up{};
    unsigned in = 0, out = 0;
    for (unsigned i = 0; i < 200 && out < 80; ++i) {
      const bool shift = i <= 80;
      const bool data = shift && i > 0 && (down[in / 40] >> in % 40 & 1) != 0;
      if (shift && i > 0) ++in;
      dut.chain_i = static_cast<CData>(shift << 1 | (data ? 1 : 0));
      clock(dut);
      // The first cycle of shift has no bit.
      if ((dut.chain_o & 2) != 0 && seen_++ > 0) up[out / 40] |= std::uint64_t{dut.chain_o & 1u} << out % 40, ++out;
    }
    seen_ = 0;
    EXPECT_EQ(out, 80u);
    rest();
    return static_cast<unsigned>(up[1] & 0xffff);
  }
  unsigned read(const Request& c) { return send(c), send({}); }
  void rest() {
    dut.chain_i = 0;
    for (int i = 0; i < 34; ++i) clock(dut);
  }
  std::vector<unsigned> status() {
    std::vector<unsigned> words;
    for (unsigned w = 0; w < kWords; ++w) words.push_back(read({.index = w}));
    return words;
  }

  struct OneThread : VerilatedContext {
    OneThread() { threads(1); }
  } context;
  Vweft_wafer_chain dut{&context};

 private:
  int seen_ = 0;
};

unsigned bits(const std::vector<unsigned>& words, unsigned at, unsigned count) {
  unsigned value = 0;
  for (unsigned b = 0; b < count; ++b) value |= (words[(at + b) / 16] >> (at + b) % 16 & 1) << b;
  return value;
}

TEST(WaferChain, ShowsTheBuffersAndCreditsOfAllFiveColors) {
  Wafer wafer;
  const auto words = wafer.status();
  for (unsigned c = 0; c < kColors; ++c)
    EXPECT_EQ(bits(words, kFixedBits + kEndsBits + kFrontBits + kColors * kQueueBits + c * kCreditBits, kCreditBits),
              4u)
        << "the PE's credits, color " << c;
  for (unsigned q = 0; q < kPairs; ++q) {
    EXPECT_EQ(bits(words, kPeBits + q * kQueueBits, 1), 0u) << "nothing is in buffer " << q;
    EXPECT_EQ(bits(words, kPeBits + kPairs * kQueueBits + q * kCreditBits, kCreditBits), 4u)
        << "the router's credits, pair " << q;
  }
}

TEST(WaferChain, RunsAnInstructionInAHaltedThread) {
  Wafer wafer;
  wafer.send({});
  const auto run = [&](const std::string& text) { return assembler::assemble(text + "\n", "here.s").words.at(0); };
  wafer.send({.run = true, .word = run("li r5, 1234")});
  EXPECT_EQ(wafer.read({.run = true, .index = 0, .word = run("add r0, r0, r5")}), 1234u);
}

}  // namespace
}  // namespace weft::test
