/// The outlets' words as records.
#include "tests/fpga/link_bench.hpp"

namespace weft::test {
namespace {

struct Record {
  int row;
  std::vector<std::uint32_t> words;
  friend bool operator==(const Record&, const Record&) = default;
};

std::vector<Record> records(const Bytes& stream) {
  std::vector<Record> all;
  for (std::size_t i = 0; i < stream.size();) {
    Record r{stream[i] >> 4, std::vector<std::uint32_t>((stream[i] & 15u) + 1)};
    ++i;
    for (std::uint32_t& word : r.words) {
      word = static_cast<std::uint32_t>(get(stream, i, 4));
      i += 4;
    }
    all.push_back(r);
  }
  return all;
}

/// Runs until nothing more arrives, confirming all DATA; returns their payloads.
Bytes collect(LinkBench& bench) {
  Bytes stream;
  for (int quiet = 0; quiet < 12; ++quiet) {
    bench.run(200);
    for (const Frame& f : bench.frames) {
      if (f.kind != kData || f.seq != bench.ack) continue;
      stream.insert(stream.end(), f.payload.begin(), f.payload.end());
      ++bench.ack;
      quiet = -1;
    }
    bench.frames.clear();
    if (quiet < 0) bench.send(bench.frame(kAck));
  }
  return stream;
}

std::vector<std::uint32_t> numbers(std::uint32_t first, std::uint32_t n) {
  std::vector<std::uint32_t> words(n);
  for (std::uint32_t i = 0; i < n; ++i) words[i] = first + i;
  return words;
}

TEST(Collector, MakesRecordsOfSixteenWordsAndOfTheRest) {
  for (std::uint32_t n = 1; n <= 40; ++n) {
    LinkBench bench;
    bench.begin();
    for (const std::uint32_t w : numbers(0xabcd0000, n)) bench.outlets[1].push_back(w);
    std::vector<Record> expected;
    for (std::uint32_t at = 0; at < n; at += 16)
      expected.push_back({1, numbers(0xabcd0000 + at, std::min(n - at, 16u))});
    EXPECT_EQ(records(collect(bench)), expected) << n;
  }
}

TEST(Collector, KeepsTheOrderOfEachRow) {
  const std::uint64_t seed = test_seed();
  LinkBench bench;
  Rng rng(seed);
  bench.begin();
  std::uint32_t sent[kRows] = {};
  Bytes stream;
  for (int i = 0; i < 40; ++i) {
    for (std::uint32_t k = rng.below(80); k > 0; --k) {
      const std::uint32_t row = rng.below(kRows);
      bench.outlets[row].push_back(row << 31 | sent[row]++);
    }
    const Bytes more = collect(bench);
    stream.insert(stream.end(), more.begin(), more.end());
  }
  std::uint32_t got[kRows] = {};
  for (const Record& r : records(stream))
    for (const std::uint32_t word : r.words) {
      const auto row = static_cast<std::size_t>(r.row);
      ASSERT_EQ(word, static_cast<std::uint32_t>(row) << 31 | got[row]++);
    }
  for (int row = 0; row < kRows; ++row) EXPECT_EQ(got[row], sent[row]);
}

/// A row that keeps sending does not delay another row's words, nor does the other row wait for it.
TEST(Collector, ARowWaitsForNoOther) {
  LinkBench bench;
  bench.begin();
  bench.outlets[0].push_back(1);
  for (int i = 0; i < 100; ++i) {
    bench.outlets[1].push_back(2);
    bench.run(20);
  }
  const std::vector<Record> got = records(collect(bench));
  ASSERT_GE(got.size(), 2u);
  EXPECT_EQ(got[0], (Record{0, {1}})) << "before the sixteenth of row 1";
  EXPECT_EQ(got[1], (Record{1, std::vector<std::uint32_t>(16, 2)}));
}

TEST(Collector, WaitsForMoreAsLongAsThePageSays) {
  for (int late = 0; late < 130; ++late) {  // at any phase of the board's counter
    LinkBench bench;
    bench.begin();
    bench.run(late);
    bench.outlets[0].push_back(1);
    const std::uint64_t begin = bench.cycles;
    bench.run(60);
    bench.outlets[0].push_back(2);  // within 64 cycles: the same record
    while (bench.packet.empty() && bench.cycles < begin + 2000) bench.cycle();
    const std::uint64_t took = bench.cycles - begin - 60;
    EXPECT_GE(took, 64u + 256u);
    EXPECT_LE(took, 128u + 256u + 40u);
    bench.run(40);
    ASSERT_EQ(bench.frames.size(), 1u);
    EXPECT_EQ(records(bench.frames[0].payload), (std::vector<Record>{{0, {1, 2}}}));
  }
}

TEST(Collector, AFullFrameDoesNotWait) {
  LinkBench bench;
  bench.begin();
  for (std::uint32_t i = 0; i < 8 * 16; ++i) bench.outlets[0].push_back(i);
  const std::uint64_t begin = bench.cycles;
  while (bench.frames.empty() && bench.cycles < begin + 3000) bench.cycle();
  EXPECT_LT(bench.cycles - begin, 512u + 525u + 60u);
  EXPECT_EQ(bench.frames[0].payload.size(), 512u);
}

}  // namespace
}  // namespace weft::test
