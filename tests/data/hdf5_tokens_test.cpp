/// Corpora in HDF5: tokens in one dimension.
#include "host/data/hdf5_tokens.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "host/data/load_data.hpp"
#include "host/data/samples.hpp"
#include "sw/base/refusal.hpp"
#include "tests/data/hdf5_file.hpp"
#include "tests/says.hpp"
#include "tests/temporary_folder.hpp"

namespace weft::data {
namespace {

std::vector<std::int64_t> counted(std::int64_t from, std::int64_t count) {
  std::vector<std::int64_t> tokens;
  for (std::int64_t n = from; n < from + count; ++n) tokens.push_back(n * n % 997);
  return tokens;
}

template <class Work>
std::string problem_with(const Work& work) {
  try {
    work();
  } catch (const Refusal& e) {
    return e.what();
  }
  return "no error";
}

TEST(Hdf5Corpus, TokensOfSeveralFilesAreOneSequence) {
  const test::TemporaryFolder folder;
  write_hdf5_corpus(folder / "a.h5", counted(0, 3000));
  write_hdf5_corpus(folder / "b.h5", counted(3000, 50));
  Tokens tokens;
  append_hdf5_tokens({folder / "a.h5", folder / "b.h5"}, 1000, tokens);
  ASSERT_EQ(tokens.size(), 3050U);
  std::vector<TokenId> all;
  for (const std::int64_t token : counted(0, 3050)) all.push_back(static_cast<TokenId>(token));
  EXPECT_EQ(tokens.checksum(), Tokens(all).checksum());
  for (const auto& [first, count] : {std::pair{0U, 3050U}, {1023U, 2U}, {2999U, 2U}, {3049U, 1U}, {500U, 1U}}) {
    std::vector<TokenId> some(count);
    tokens.copy(first, some);
    EXPECT_TRUE(std::ranges::equal(some, std::span(all).subspan(first, count))) << first;
  }
}

TEST(Hdf5Corpus, ADataDirMayBeOne) {
  const test::TemporaryFolder folder;
  config::Config config;
  config.file = "mine.yaml";
  config.model.seq = 4, config.model.vocab = 1000, config.model.micro_batch = config.train_input.batch_size = 2;
  config.train_input.shuffle = false;
  config.runconfig.model_dir = folder / "model";
  std::filesystem::create_directory(folder / "d");
  write_hdf5_corpus(folder / "d/a.h5", {1, 2, 3, 4, 5, 6});
  write_hdf5_corpus(folder / "d/b.h5", {7, 8, 9});
  config.train_input.data_dir = folder / "d";
  const Batch batch = load_training_data(config).micro_batch(0, 0);
  EXPECT_EQ(batch.inputs, (std::vector<TokenId>{1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(batch.labels, (std::vector<TokenId>{2, 3, 4, 5, 6, 7, 8, 9}));
  config.model.document_end = 3;
  config.train_input.pad_documents = true;
  EXPECT_EQ(load_training_data(config).micro_batch(0, 0).inputs, (std::vector<TokenId>{1, 2, 0, 0, 4, 5, 6, 7}));
  write_hdf5(folder / "d/c.h5", {1, 2, 1, 1, 2, 3}, 2);
  EXPECT_SAYS(problem_with([&] { load_training_data(config); }), "c.h5: has no tokens in one dimension");
  std::filesystem::remove(folder / "d/c.h5");
  EXPECT_EQ(load_training_data(config).micro_batch(0, 0).inputs.size(), 8U);
}

TEST(Hdf5Corpus, DamagedOnesAreRejected) {
  const test::TemporaryFolder folder;
  const std::string path = folder / "a.h5";
  const auto with = [&](const std::vector<std::int64_t>& written, int vocab) {
    write_hdf5_corpus(path, written);
    return problem_with([&] {
      Tokens tokens;
      append_hdf5_tokens({path}, vocab, tokens);
    });
  };
  EXPECT_SAYS(with({1, 2, 10}, 10),
              "a.h5: token 10 at position 2 is not below model.vocab_size 10. HINT: use model.vocab_size 11 or more.");
  EXPECT_SAYS(with({1, -2}, 10), "token -2 at position 1 is not below model.vocab_size 10. HINT: write or fetch");
  EXPECT_SAYS(with({std::int64_t{1} << 40}, 10), "token 2147483647 or more at position 0 is not below");
}

TEST(Hdf5Corpus, AChangedFileIsRejectedWhileItIsRead) {
  const test::TemporaryFolder folder;
  const std::string path = folder / "a.h5", other = folder / "b.h5";
  write_hdf5_corpus(path, counted(0, 2000), false);
  Tokens tokens;
  append_hdf5_tokens({path}, 1000, tokens);
  auto values = counted(0, 2000);
  values[1500] = 1;
  write_hdf5_corpus(other, values, false);
  std::filesystem::copy_file(other, path, std::filesystem::copy_options::overwrite_existing);
  std::vector<TokenId> some(1024);
  tokens.copy(0, some);
  EXPECT_SAYS(problem_with([&] { tokens.copy(900, some); }),
              "a.h5: was changed while it is read: token 1024 or a later one differs from the first time");
}

}  // namespace
}  // namespace weft::data
