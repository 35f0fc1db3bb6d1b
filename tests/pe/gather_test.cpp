/// vdot's lists: the groups that streams of indices form, at any pace of both sides, and one output after the other.
#include "sw/machine/gather.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <vector>

#include "Vweft_pe_gather.h"
#include "tests/clock.hpp"
#include "tests/random.hpp"

namespace weft::test {
namespace {

using Group = std::vector<unsigned>;

struct Output {
  unsigned full;  ///< indices of a full group, 1 .. 16
  Group indices;
};

/// Sends outputs, each with a carriage return, and reads groups.
class Gatherer {
 public:
  Gatherer() { reset(dut); }

  /// `ahead`: the next output is gathered as soon as this one's carriage return has arrived.
  void run(const std::vector<Output>& outputs, bool ahead, int reads) {
    dut.enable_i = dut.valid_i = dut.free_i = dut.ahead_i = dut.start_i = dut.next_i = 0;
    begin(outputs.front());
    std::size_t sending = 0, reading = 0, sent = 0;
    Group all;
    most = held = 0;
    for (int cycle = 0; reading < outputs.size(); ++cycle) {
      ASSERT_LT(cycle, 100000);
      const Group& indices = outputs[sending].indices;
      dut.valid_i = sent <= indices.size() && rng.chance(70);
      dut.cr_i = sent == indices.size();
      dut.data_i = static_cast<SData>(sent < indices.size() ? indices[sent] : 0xffff);
      dut.free_i = 0;
      dut.ahead_i = ahead && dut.gathered_o && sending + 1 < outputs.size();
      if (dut.ahead_i) ++sending, sent = 0, dut.valid_i = 0, dut.full_i = outputs[sending].full & 15;
      dut.eval();
      bool last = false;
      if (dut.valid_o && rng.chance(reads)) {
        const Group group = read();
        last = dut.last_o;
        EXPECT_LE(group.size(), outputs[reading].full);
        EXPECT_TRUE(last || group.size() == outputs[reading].full);
        all.insert(all.end(), group.begin(), group.end());
        held -= static_cast<int>(group.size());
        dut.free_i = 1;
        dut.eval();
        if (last) {
          EXPECT_EQ(all, outputs[reading].indices);
          const std::size_t n = all.size(), full = outputs[reading].full;
          EXPECT_EQ(group.size(), n == 0 ? 0 : (n - 1) % full + 1);
          all.clear();
          ++reading;
        }
      }
      if (dut.take_o) {
        EXPECT_TRUE(dut.valid_i);
        held += dut.cr_i ? 0 : 1;
        most = std::max(most, held);
        ++sent;
      }
      const bool ends = sent > indices.size();
      clock(dut);
      EXPECT_EQ(dut.gathered_o, ends);
      if (last && !ahead && reading < outputs.size()) begin(outputs[++sending]), sent = 0;
    }
  }

  Rng rng{test_seed()};
  int most = 0, held = 0;  ///< indices

 private:
  void begin(const Output& output) {
    dut.free_i = dut.valid_i = dut.ahead_i = 0;
    dut.full_i = output.full & 15;
    dut.clear_i = 1;
    clock(dut);
    dut.clear_i = 0;
    dut.enable_i = 1;
  }

  /// Reads the oldest group, twice, as a vector of two words does.
  Group read() {
    Group group, again;
    const unsigned n = dut.count_o;
    const CData valid = dut.valid_i, ahead = dut.ahead_i;
    dut.valid_i = dut.ahead_i = 0;  // the stream pauses
    for (unsigned k = 0; k < 2 * n; ++k) {
      dut.first_i = k % n == 0;
      dut.eval();
      (k < n ? group : again).push_back(dut.data_o);
      dut.start_i = dut.first_i;
      dut.next_i = !dut.first_i;
      clock(dut);
      dut.start_i = dut.next_i = 0;
    }
    EXPECT_EQ(group, again);
    dut.valid_i = valid, dut.ahead_i = ahead;
    dut.eval();
    return group;
  }

  VerilatedContext context_;
  Vweft_pe_gather dut{&context_};
};

TEST(Gather, HoldsAsManyAsTheCheckCountsOn) {
  for (int full = 1; full <= 16; ++full) {
    VerilatedContext context;
    Vweft_pe_gather dut(&context);
    reset(dut);
    dut.full_i = static_cast<CData>(full & 15);
    dut.clear_i = 1;
    clock(dut);
    dut.clear_i = 0;
    dut.enable_i = dut.valid_i = 1;
    int taken = 0;
    for (int cycle = 0; cycle < 100; ++cycle) {
      dut.eval();
      taken += dut.take_o;
      clock(dut);
    }
    EXPECT_EQ(taken + 1, machine::gathered_most(full)) << "one waits in front; groups of " << full;
  }
}

std::vector<Output> outputs(Rng& rng, int count, unsigned most) {
  std::vector<Output> all;
  for (int o = 0; o < count; ++o) {
    Output output{rng.chance(50) ? 16U : 1 + rng.below(16), {}};
    const unsigned n = o < 40 ? static_cast<unsigned>(o) : rng.below(most);
    for (unsigned k = 0; k < n; ++k) output.indices.push_back(rng.below(0x10000));
    all.push_back(output);
  }
  return all;
}

TEST(Gather, FillsGroupsAndMarksTheLast) {
  Gatherer gatherer;
  gatherer.run(outputs(gatherer.rng, 300, 100), false, 30);
}

TEST(Gather, GathersTheNextOutputAhead) {
  for (const int reads : {2, 30, 95}) {
    Gatherer gatherer;
    gatherer.run(outputs(gatherer.rng, 300, 40), true, reads);
    EXPECT_LE(gatherer.most, 32);
    if (reads == 2) {
      EXPECT_EQ(gatherer.most, 32) << "a slow reader finds the lists full";
    }
  }
}

}  // namespace
}  // namespace weft::test
