/// Records against a reference written from docs/reference/board_link.md.
#include "tests/fpga/link_bench.hpp"

namespace weft::test {
namespace {

constexpr std::size_t kEntries = 2048;

/// Makes records and the messages they expand to.
struct Reference {
  void messages(const std::vector<machine::Message>& some) {
    const Bytes record = messages_record(some);
    stream.insert(stream.end(), record.begin(), record.end());
    expected.insert(expected.end(), some.begin(), some.end());
  }
  void indices(std::uint16_t at, const std::vector<std::uint16_t>& some) {
    stream.push_back(2);
    put(stream, at, 2);
    put(stream, some.size(), 2);
    for (const std::uint16_t index : some) {
      put(stream, index, 2);
      memory[at++ % kEntries] = index;
    }
  }
  struct Run {
    std::uint16_t at = 0, n = 0, times = 1;
    std::uint8_t what = 0;
    std::uint16_t index = 0, value = 0, step = 0;
  };
  template <class Values>
  void run(Run r, Values&& values) {
    stream.push_back(3);
    put(stream, r.at, 2);
    put(stream, r.n, 2);
    put(stream, r.times, 2);
    put(stream, r.what, 1);
    for (const std::uint16_t field : {r.index, r.value, r.step}) put(stream, field, 2);
    for (int output = 0; output < r.times; ++output) {
      for (std::size_t i = 0; i < r.n; ++i) {
        std::uint16_t value = 0;
        if (r.what & 1) put(stream, value = values(), 2);
        expected.push_back(machine::Message::weight(memory[(r.at + i) % kEntries], value));
      }
      if (r.what & 2) {
        if (r.what & 8) put(stream, r.value = values(), 2);
        expected.push_back(machine::Message::weight(r.index, r.value));
        r.index = static_cast<std::uint16_t>(r.index + r.step);
      }
      if (r.what & 4) expected.push_back(machine::Message::command(machine::Command::CR, 0, 0));
    }
  }
  void check(LinkBench& bench, std::size_t piece = 512) {
    bench.stream(stream, piece);
    for (int i = 0; i < 100000 && bench.valve.size() < expected.size(); ++i) bench.cycle();
    bench.run(1000);
    ASSERT_EQ(bench.valve.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
      ASSERT_EQ(bench.valve[i], expected[i]) << "message " << i << " of " << expected.size();
    bench.valve.clear();
    expected.clear();
    stream.clear();
    bench.frames.clear();
    EXPECT_EQ(bench.status().stands, 0);
  }
  std::vector<std::uint16_t> memory = std::vector<std::uint16_t>(kEntries);
  Bytes stream;
  std::vector<machine::Message> expected;
};

TEST(Expander, PassesMessagesAsTheyAre) {
  LinkBench bench;
  bench.begin();
  Reference r;
  r.messages({});
  r.messages({{0x01234567, true}});
  r.messages({{0x89abcdef, false}, {0, true}, {0xffffffff, false}});
  r.check(bench);
}

TEST(Expander, MakesOutputsOfEveryKind) {
  LinkBench bench;
  bench.begin();
  Reference r;
  r.indices(0, {3, 1, 4, 1, 5, 9, 2, 6});
  std::uint16_t value = 100;
  for (std::uint8_t what = 0; what < 16; ++what)
    for (const std::uint16_t times : {0, 1, 2, 5})
      for (const std::uint16_t n : {0, 1, 2, 8})
        r.run({.at = 0, .n = n, .times = times, .what = what, .index = 65533, .value = 7, .step = 2},
              [&] { return value++; });
  r.messages({{1, true}});
  r.check(bench);
}

TEST(Expander, TheIndexMemoryWrapsAndKeepsWhatItHas) {
  LinkBench bench;
  bench.begin();
  Reference r;
  std::vector<std::uint16_t> all;
  for (std::size_t i = 0; i < kEntries; ++i) all.push_back(static_cast<std::uint16_t>(i * 31 + 5));
  r.indices(0, all);
  r.indices(2046, {7001, 7002, 7003, 7004});
  r.indices(7, {});
  r.run({.at = 2000, .n = 100, .times = 2, .what = 4}, [] { return 0; });
  r.run({.at = 1, .n = 3000, .times = 1, .what = 4}, [] { return 0; });
  r.check(bench);
  bench.session = 5, bench.seq = 0, bench.room = kRoom;
  bench.hello(5, 0x12345678);
  bench.run(300);
  bench.frames.clear();
  r.run({.at = 2040, .n = 20, .times = 1, .what = 1}, [] { return 0x3f80; });
  r.check(bench);
}

TEST(Expander, MakesWhatTheReferenceMakesOfRandomRecords) {
  const std::uint64_t seed = test_seed();
  for (std::uint64_t trial = 0; trial < 10; ++trial) {
    SCOPED_TRACE("trial " + std::to_string(trial));
    LinkBench bench;
    Rng rng(seed + trial);
    bench.begin();
    bench.valve_percent = trial % 2 ? 100 : 40;
    Reference r;
    const auto number = [&](std::uint32_t below) { return static_cast<std::uint16_t>(rng.below(below)); };
    std::vector<std::uint16_t> all(kEntries);  // the index memory has no defined value at first
    for (auto& index : all) index = number(65536);
    r.indices(number(65536), all);
    for (int i = 0; i < 60; ++i) {
      if (rng.chance(30)) {
        std::vector<machine::Message> some(rng.below(20));
        for (machine::Message& m : some) m = {static_cast<std::uint32_t>(rng.next()), rng.chance(50)};
        r.messages(some);
      } else if (rng.chance(40)) {
        std::vector<std::uint16_t> some(rng.below(60));
        for (auto& index : some) index = number(65536);
        r.indices(number(65536), some);
      } else {
        r.run({number(65536), number(40), number(6), static_cast<std::uint8_t>(rng.below(16)), number(65536),
               number(65536), number(65536)},
              [&] { return number(65536); });
      }
    }
    r.check(bench, 1 + rng.below(512));
  }
}

TEST(Expander, AnUnknownRecordStopsItUntilTheNextSession) {
  for (const std::uint8_t first : {0, 4, 5, 128, 255}) {
    LinkBench bench;
    bench.begin();
    bench.stream(messages_record({{1, true}}));
    bench.stream({first});
    bench.stream(messages_record({{2, true}}));
    bench.run(300);
    bench.frames.clear();
    EXPECT_EQ(bench.valve, (std::vector<machine::Message>{{1, true}}));
    EXPECT_EQ(bench.status().stands & 8, 8);
    EXPECT_EQ(bench.dut.fault_o, 1);
    bench.session = 2, bench.seq = 0;
    bench.hello(2, 0x12345678);
    bench.run(300);
    bench.frames.clear();
    bench.stream(messages_record({{3, true}}));
    bench.run(300);
    bench.frames.clear();
    EXPECT_EQ(bench.valve, (std::vector<machine::Message>{{1, true}, {3, true}}));
    EXPECT_EQ(bench.status().stands, 0);
  }
}

TEST(Expander, MakesAMessageInTwoCycles) {
  LinkBench bench;
  bench.begin();
  Reference r;
  r.indices(0, std::vector<std::uint16_t>(1000, 4));
  r.run({.at = 0, .n = 1000, .times = 100, .what = 4}, [] { return 0; });
  bench.stream(r.stream);
  bench.run(600);
  const std::size_t begin = bench.valve.size();
  bench.run(10000);
  EXPECT_GE(bench.valve.size() - begin, 4990u);
}

}  // namespace
}  // namespace weft::test
