/// Token shards that are truncated, overwritten or deleted while a run reads them.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <functional>
#include <thread>

#include "host/data/load_data.hpp"
#include "host/data/open_files.hpp"
#include "sw/base/refusal.hpp"
#include "tests/temporary_folder.hpp"

namespace weft::data {
namespace {

constexpr int kTokens = 10000, kSeq = 50;

std::vector<TokenId> some_tokens(int seed) {
  std::vector<TokenId> tokens(kTokens);
  for (int k = 0; k < kTokens; ++k) tokens[static_cast<std::size_t>(k)] = static_cast<TokenId>(k * seed % 60000);
  return tokens;
}

class ChangedShard : public testing::Test {
 protected:
  ChangedShard() {
    config_.file = "mine.yaml";
    config_.model.seq = kSeq;
    config_.model.vocab = 60000;
    config_.model.micro_batch = 1;
    config_.train_input.batch_size = 1;
    config_.train_input.shuffle = false;
    config_.train_input.data_dir = folder_ / "d";
    config_.runconfig.model_dir = folder_ / "model";
    for (int n = 0; n < 3; ++n) folder_.write(name(n), test::shard_bytes(some_tokens(n + 1)));
  }
  static std::string name(int n) { return "d/train_" + std::to_string(n) + ".bin"; }
  /// All samples of an epoch.
  static std::vector<std::vector<TokenId>> epoch(const TrainingData& data) {
    std::vector<std::vector<TokenId>> samples;
    for (std::uint64_t k = 0; k < data.samples(); ++k) samples.push_back(data.micro_batch(k, 0).labels);
    return samples;
  }
  /// The error about the second shard after `change`; checks that every reader reports it.
  std::string said_after(const std::function<void(const std::string&)>& change) {
    const TrainingData data = load_training_data(config_);
    change(folder_ / name(1));
    std::string said;
    for (int again = 0; again < 2; ++again) {
      try {
        epoch(data);
        return "nothing";
      } catch (const Refusal& e) {
        EXPECT_TRUE(again == 0 || said == e.problem()) << e.what();
        EXPECT_EQ(e.subject(), folder_ / name(1));
        EXPECT_EQ(e.hint(), "leave the files of data_dir as they are while a run reads them, and start it again");
        said = e.problem();
      }
    }
    return said;
  }
  void write_over(const std::string& file, std::streamoff at, std::string_view bytes) {
    std::fstream(file, std::ios::in | std::ios::out | std::ios::binary)
        .seekp(at)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }

  const test::TemporaryFolder folder_;
  config::Config config_;
};

TEST_F(ChangedShard, LeftAloneGivesTheSameInEveryEpoch) {
  const TrainingData data = load_training_data(config_);
  const auto first = epoch(data);
  EXPECT_EQ(epoch(data), first);
  Tokens all;
  for (int n = 0; n < 3; ++n) all.append(some_tokens(n + 1));
  const TrainingData in_memory(all, {.seq = kSeq});
  EXPECT_EQ(epoch(in_memory), first);
  EXPECT_EQ(in_memory.checksum(), data.checksum());
}

TEST_F(ChangedShard, CutShortIsRefused) {
  EXPECT_EQ(said_after([](const std::string& file) { std::filesystem::resize_file(file, 1024 + 2 * 4096 + 812); }),
            "was cut short while it is read: block 2 of 5 has 812 of 4096 bytes");
}

TEST_F(ChangedShard, CutToNothingIsRefused) {
  EXPECT_EQ(said_after([](const std::string& file) { std::filesystem::resize_file(file, 0); }),
            "was cut short while it is read: block 0 of 5 has 0 of 4096 bytes");
}

TEST_F(ChangedShard, OneOtherBitIsRefused) {
  EXPECT_EQ(said_after([&](const std::string& file) {
              write_over(file, 1024 + 4096 + 7,
                         std::string(1, static_cast<char>(test::file_text(file)[1024 + 4096 + 7] ^ 1)));
            }),
            "was changed while it is read: block 1 of 5 differs from the first time");
  const TrainingData data = load_training_data(config_);  // a new start, with no writer
  EXPECT_EQ(epoch(data).size(), data.samples());
}

TEST_F(ChangedShard, TokensThatTheVocabularyDoesNotHaveAreRefused) {
  EXPECT_EQ(said_after([&](const std::string& file) { write_over(file, 1024 + 4 * 4096, "\xff\xff"); }),
            "was changed while it is read: block 4 of 5 differs from the first time");
}

TEST_F(ChangedShard, AppendedDataDoesNotMatter) {
  EXPECT_EQ(said_after([&](const std::string& file) { std::ofstream(file, std::ios::app) << "more"; }), "nothing");
}

TEST_F(ChangedShard, TakenAwayIsRefusedOnceItHasToBeOpenedAgain) {
  OpenFiles files(1);
  const std::string one = folder_ / name(0), other = folder_ / name(1);
  files.get(one);
  std::filesystem::remove(one);
  EXPECT_GE(files.get(one)->get(), 0) << "still open";
  files.get(other);
  try {
    files.get(one);
    FAIL();
  } catch (const Refusal& e) {
    EXPECT_EQ(
        e.what(),
        one + ": cannot be opened: No such file or directory. HINT: check that it exists and that you may read it.");
  }
}

/// With a low limit on open files the program reopens files as needed.
TEST_F(ChangedShard, MoreShardsThanFilesThatMayBeOpen) {
  constexpr int kShards = 100;
  for (int n = 0; n < kShards; ++n) folder_.write(name(n), test::shard_bytes(some_tokens(n + 1)));
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit few{50, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
  config_.train_input.shuffle = true;
  std::exception_ptr failure;
  try {
    const TrainingData data = load_training_data(config_);
    const std::uint64_t samples = data.samples();
    EXPECT_EQ(samples, (kShards * kTokens - 1U) / kSeq);
    std::vector<std::jthread> readers;
    std::vector<std::vector<std::vector<TokenId>>> read(4);
    for (auto& all : read) readers.emplace_back([&] { all = epoch(data); });
    readers.clear();
    for (const auto& all : read) EXPECT_EQ(all, read[0]);
  } catch (...) {
    failure = std::current_exception();
  }
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  if (failure) std::rethrow_exception(failure);
}

}  // namespace
}  // namespace weft::data
