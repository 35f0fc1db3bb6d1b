/// Documents as separate samples: their boundaries, and the positions that are not counted.
#include "host/data/padded_samples.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include "host/data/load_data.hpp"
#include "sw/base/refusal.hpp"
#include "tests/says.hpp"
#include "tests/temporary_folder.hpp"

namespace weft::data {
namespace {

using Ids = std::vector<TokenId>;
constexpr TokenId kNo = kNoLabel;

Batch all_of(const Samples& samples) {
  Batch batch;
  for (std::uint64_t k = 0; k < samples.size(); ++k) samples.append(k, batch);
  return batch;
}

TEST(PaddedSamples, EachDocumentBeginsOneAndLongOnesGoOn) {
  // The documents are 1 2 | 3 | 4 5 6 7 8 | 9 1 2 3.
  const PaddedSamples samples(Ids{1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3}, {2, 3, 8, 12}, 3);
  ASSERT_EQ(samples.size(), 4U);
  const Batch batch = all_of(samples);
  EXPECT_EQ(batch.inputs, (Ids{1, 0, 0, 4, 5, 6, 7, 0, 0, 9, 1, 2}));
  EXPECT_EQ(batch.labels, (Ids{2, kNo, kNo, 5, 6, 7, 8, kNo, kNo, 1, 2, 3}));
  EXPECT_FALSE(samples.all_count());
  EXPECT_TRUE(PaddedSamples(Ids{1, 2, 3, 4}, {4}, 3).all_count());
  EXPECT_NE(PaddedSamples(Ids{1, 2, 3, 4}, {2, 4}, 3).checksum(), PaddedSamples(Ids{1, 2, 3, 4}, {4}, 3).checksum());
  EXPECT_THROW(PaddedSamples(Ids{1, 2}, {1, 2}, 3), Refusal);
}

TEST(PaddedSamples, EndsAreBehindTheirToken) {
  Ids ids(70000, 1);
  ids[5] = ids[65535] = ids[65536] = 7;
  EXPECT_EQ(ends_behind(ids, 7), (std::vector<std::uint64_t>{6, 65536, 65537, 70000}));
  EXPECT_EQ(ends_behind(Ids{1, 7}, 7), (std::vector<std::uint64_t>{2}));
}

class PaddedData : public testing::Test {
 protected:
  PaddedData() {
    config_.file = "mine.yaml";
    config_.model.seq = 4, config_.model.vocab = 10;
    config_.model.micro_batch = config_.train_input.batch_size = 1;
    config_.train_input.shuffle = false, config_.train_input.pad_documents = true;
    config_.runconfig.model_dir = folder_ / "model";
  }
  Batch samples(const std::string& name) {
    config_.train_input.data_dir = folder_ / name;
    const TrainingData data = load_training_data(config_);
    return all_of(data.set(0));
  }
  std::string refusal(const std::string& name) {
    try {
      samples(name);
    } catch (const Refusal& e) {
      return e.what();
    }
    return "no error";
  }

  const test::TemporaryFolder folder_;
  config::Config config_;
};

TEST_F(PaddedData, LinesOfJsonAreDocumentsAndSoAreFilesOfText) {
  folder_.write("a/1.jsonl", "{\"text\": \"abc\"}\n\n{\"n\": 1, \"text\": \"\"}\n{\"text\": \"bacabc\"}\n");
  folder_.write("a/2.txt", "ca");
  folder_.write("a/readme.md", "not this");
  const Batch batch = samples("a");
  EXPECT_EQ(batch.inputs, (Ids{0, 1, 0, 0, 1, 0, 2, 0, 1, 0, 0, 0, 2, 0, 0, 0}));
  EXPECT_EQ(batch.labels, (Ids{1, 2, kNo, kNo, 0, 2, 0, 1, 2, kNo, kNo, kNo, 0, kNo, kNo, kNo}));
  config_.train_input.pad_documents = false;
  EXPECT_EQ(samples("a").inputs, (Ids{0, 1, 2, 1, 0, 2, 0, 1})) << "one text after the other";
}

TEST_F(PaddedData, TextMayBePacked) {
  const std::string path = folder_.write("a/1.jsonl.gz", "");
  const gzFile file = gzopen(path.c_str(), "wb");
  const std::string text = "{\"text\": \"ab\"}\n{\"text\": \"ba\"}\n";
  gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
  EXPECT_EQ(samples("a").labels, (Ids{1, kNo, kNo, kNo, 0, kNo, kNo, kNo}));
}

TEST_F(PaddedData, ShardsEndDocumentsWithTheModelsToken) {
  folder_.write("a.bin", test::shard_bytes({1, 2, 9, 3, 4, 5, 6, 9, 7}));
  EXPECT_SAYS(refusal("a.bin"), "no setting names the token that ends a document. HINT: set model.document_end");
  config_.model.document_end = 9;
  const Batch batch = samples("a.bin");
  EXPECT_EQ(batch.inputs, (Ids{1, 2, 0, 0, 3, 4, 5, 6}));
  EXPECT_EQ(batch.labels, (Ids{2, 9, kNo, kNo, 4, 5, 6, 9}));
}

TEST_F(PaddedData, ErrorNamesFileAndLine) {
  folder_.write("a.jsonl", "{\"text\": \"ab\"}\n{\"body\": \"ba\"}\n");
  EXPECT_SAYS(
      refusal("a.jsonl"),
      "a.jsonl:2: has no text \"text\"; its texts are \"body\". HINT: name the field text, or make shards with");
  folder_.write("b.jsonl", "{\"text\": \"a\"}\n{\"text\": \"b\"}\n");
  EXPECT_SAYS(refusal("b.jsonl"), "no document has two tokens");
  config_.memoryx_eager_update = true;
  folder_.write("c.jsonl", "{\"text\": \"ab\"}\n");
  EXPECT_SAYS(refusal("c.jsonl"),
              "memoryx.eager_update: " + folder_.path().string() + "/c.jsonl has labels that do not count");
}

}  // namespace
}  // namespace weft::data
