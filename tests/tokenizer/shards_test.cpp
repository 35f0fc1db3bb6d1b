#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "host/tokenizer/shards/byte_input.hpp"
#include "host/tokenizer/shards/make_shards.hpp"
#include "host/tokenizer/shards/shard_set.hpp"
#include "host/tokenizer/train_bpe.hpp"
#include "sw/base/refusal.hpp"
#include "tests/says.hpp"
#include "tests/temporary_folder.hpp"
#include "tests/tokenizer/random_text.hpp"

namespace weft::tokenizer {
namespace {

const ByteBpe& tokenizer() {
  static const ByteBpe bpe(
      train_bpe({{" the", 9}, {"word", 5}, {"\u00e9", 4}}, {.vocab_size = 264, .special = {"<|endoftext|>"}}));
  return bpe;
}

template <class Id>
std::vector<std::uint32_t> tokens_in(const std::string& path) {
  const std::string bytes = test::file_text(path).substr(1024);
  std::vector<Id> ids(bytes.size() / sizeof(Id));
  std::memcpy(ids.data(), bytes.data(), bytes.size());
  return {ids.begin(), ids.end()};
}

std::int32_t header(const std::string& path, std::size_t word) {
  std::int32_t value = 0;
  std::memcpy(&value, test::file_text(path).data() + 4 * word, 4);
  return value;
}

ShardTotals make(const std::string& corpus, ShardWriter& writer, int threads) {
  Parts parts(corpus_files(corpus), tokenizer());
  return make_shards(parts, tokenizer(), {.eot = 0, .threads = threads}, writer, [](auto, auto) {});
}

TEST(Shards, HaveEachDocumentAndItsEndInOrderForEveryNumberOfThreads) {
  test::TemporaryFolder folder;
  test::Rng rng(test::test_seed());
  std::vector<std::uint32_t> expected;
  for (int i = 0; i < 6; ++i) {
    std::string text;
    while (text.size() < Parts::kPartBytes * static_cast<std::size_t>(i) / 2 + 10) text += random_text(rng, 100, true);
    folder.write("in/" + std::to_string(i) + ".txt", text);
    tokenizer().encoder()->encode(text, expected);
    expected.push_back(0);
  }
  for (const int threads : {1, 2, 5}) {
    std::filesystem::remove(folder / "out.bin");
    ShardWriter writer(folder / "out.bin", false, 0);
    const ShardTotals totals = make(folder / "in", writer, threads);
    EXPECT_EQ(totals.documents, 6u);
    EXPECT_FALSE(std::filesystem::exists(folder / "out.bin")) << "nothing is seen before all is there";
    writer.commit();
    EXPECT_EQ(tokens_in<std::uint16_t>(folder / "out.bin"), expected);
    EXPECT_EQ(header(folder / "out.bin", 0), 20240520);
    EXPECT_EQ(header(folder / "out.bin", 1), 1);
    EXPECT_EQ(header(folder / "out.bin", 2), static_cast<std::int32_t>(expected.size()));
  }
}

TEST(Shards, AreOfOneSizeButTheLast) {
  test::TemporaryFolder folder;
  ShardWriter writer(folder / "x.bin", false, 4);
  writer.write(std::vector<std::uint32_t>{1, 2, 3});
  writer.write(std::vector<std::uint32_t>{4, 5, 6, 7, 8, 9});
  EXPECT_EQ(writer.commit(),
            (std::vector<std::string>{folder / "x_000000.bin", folder / "x_000001.bin", folder / "x_000002.bin"}));
  EXPECT_EQ(tokens_in<std::uint16_t>(folder / "x_000001.bin"), (std::vector<std::uint32_t>{5, 6, 7, 8}));
  EXPECT_EQ(tokens_in<std::uint16_t>(folder / "x_000002.bin"), (std::vector<std::uint32_t>{9}));
  EXPECT_EQ(header(folder / "x_000002.bin", 2), 1);
}

TEST(Shards, OlderShardsAreRemoved) {
  test::TemporaryFolder folder;
  const auto make = [&](std::uint64_t most, std::uint64_t removed) {
    ShardWriter writer(folder / "x.bin", false, most);
    writer.write(std::vector<std::uint32_t>{1, 2, 3, 4, 5, 6, 7, 8});
    writer.commit();
    EXPECT_EQ(writer.removed(), removed);
  };
  make(1, 0);
  folder.write("y_000005.bin", "of another");
  folder.write("x_000009.bin", "follows none");
  make(3, 5);
  std::vector<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(folder.path()))
    names.push_back(file.path().filename().string());
  std::ranges::sort(names);
  EXPECT_EQ(names,
            (std::vector<std::string>{"x_000000.bin", "x_000001.bin", "x_000002.bin", "x_000009.bin", "y_000005.bin"}));
  make(0, 0);  // x.bin is not part of the set
  EXPECT_EQ(tokens_in<std::uint16_t>(folder / "x_000002.bin"), (std::vector<std::uint32_t>{7, 8}));
}

/// Old and new shards are not treated as one set.
TEST(Shards, IncompleteSetIsDetected) {
  const test::TemporaryFolder folder;
  const auto problem = [](const std::string& path) {
    try {
      check_whole_set(path);
    } catch (const Refusal& e) {
      return e.problem();
    }
    return std::string();
  };
  const auto make = [&](const std::string& out) {
    ShardWriter writer(folder / out, false, 4);
    writer.write(std::vector<std::uint32_t>{1, 2, 3, 4, 5, 6, 7, 8, 9});
    writer.commit();
  };
  make("x.bin");
  EXPECT_EQ(problem(folder / "x_000001.bin"), "");
  { const IncompleteMark killed(folder / "x"); }  // leaves the mark
  EXPECT_EQ(problem(folder / "x_000001.bin"),
            "belongs to an incomplete set of shards: " + (folder / "x.incomplete") + " exists");
  for (const char* other : {"y_000001.bin", "x.bin", "x_1.bin", "x_000001.txt", "_000001.bin"})
    EXPECT_EQ(problem(folder / other), "") << other;
  make("x.bin");  // takes the mark over
  EXPECT_EQ(problem(folder / "x_000001.bin"), "");
  EXPECT_FALSE(std::filesystem::exists(folder / "x.incomplete"));
}

TEST(Shards, ConcurrentWriterIsRejectedAndChangesNothing) {
  const test::TemporaryFolder folder;
  ShardWriter writer(folder / "x.bin", false, 4);
  writer.write(std::vector<std::uint32_t>{1, 2, 3, 4, 5});
  const IncompleteMark other(folder / "x");
  try {
    writer.commit();
    FAIL();
  } catch (const Refusal& e) {
    EXPECT_SAYS(e.what(), "x.incomplete: is in use by another program, which writes shards of the same name.");
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "x_000000.bin"));
}

TEST(Shards, ManyTokensHave32BitsEach) {
  test::TemporaryFolder folder;
  ShardWriter writer(folder / "x.bin", true, 0);
  writer.write(std::vector<std::uint32_t>{1, 0x12345678});
  writer.commit();
  EXPECT_EQ(tokens_in<std::uint32_t>(folder / "x.bin"), (std::vector<std::uint32_t>{1, 0x12345678}));
  EXPECT_EQ(header(folder / "x.bin", 0), 20240801);
  EXPECT_EQ(header(folder / "x.bin", 1), 7);
}

TEST(Shards, TheFirstOfSeveralDamagedPlacesIsReportedAndNothingIsWritten) {
  test::TemporaryFolder folder;
  std::string lines;
  for (int i = 0; i < 100000; ++i) lines += "{\"text\": \"the word the word\"}\n";
  folder.write("in/a.jsonl", lines + "first\n" + lines + "second\n" + lines);
  folder.write("in/b.jsonl", "third");
  for (const int threads : {1, 4}) {
    {
      ShardWriter writer(folder / "out.bin", false, 0);
      try {
        make(folder / "in", writer, threads);
        FAIL();
      } catch (const Refusal& e) {
        EXPECT_SAYS(e.what(), "a.jsonl:100001: is not JSON");
      }
    }
    EXPECT_FALSE(std::filesystem::exists(folder / "out.bin"));
  }
}

TEST(Shards, GoToAFolderThatIsThere) {
  test::TemporaryFolder folder;
  try {
    ShardWriter(folder / "no/x.bin", false, 0);
    FAIL();
  } catch (const Refusal& e) {
    EXPECT_SAYS(e.what(), "no/x.bin: cannot be written");
  }
}

/// A system usually allows 1024 open files.
TEST(Shards, AreMoreThanFilesMayBeOpen) {
  test::TemporaryFolder folder;
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit few = before;
  few.rlim_cur = 40;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  constexpr std::size_t kShards = 100;
  ShardWriter writer(folder / "out.bin", false, 2);
  std::vector<std::uint32_t> ids(2 * kShards);
  std::iota(ids.begin(), ids.end(), 0u);
  try {
    writer.write(ids);
    EXPECT_FALSE(std::filesystem::exists(folder / "out_000000.bin")) << "nothing is seen before all is there";
    EXPECT_EQ(writer.commit().size(), kShards);
  } catch (const Refusal& e) {
    ADD_FAILURE() << e.what();
  }
  few.rlim_cur = 3;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  std::string said;
  const auto refused = [&said](const auto& open) {
    try {
      open();
    } catch (const Refusal& e) {
      said += e.hint() + "; ";
    }
  };
  refused([&] { ShardWriter(folder / "more.bin", false, 2); });
  refused([&] { open_input(folder / "out_000000.bin"); });
  ::setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_EQ(said, std::string(checkpoint::kMoreFiles) + "; " + checkpoint::kMoreFiles + "; ");
  EXPECT_EQ(tokens_in<std::uint16_t>(folder / "out_000099.bin"), (std::vector<std::uint32_t>{198, 199}));
}

}  // namespace
}  // namespace weft::tokenizer
