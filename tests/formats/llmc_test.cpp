/// llm.c checkpoints.
#include "host/formats/llmc.hpp"

#include <chrono>
#include <cstring>

#include "host/formats/llmc_source.hpp"
#include "host/formats/open_weights.hpp"
#include "host/formats/write_weights.hpp"
#include "tests/formats/weights.hpp"

namespace weft::formats {
namespace {

class Llmc : public testing::Test {
 protected:
  void fill(checkpoint::Dtype dtype) {
    ours_ = checkpoint_of(folder_, model_, random_weights(compiler::parameter_count(tensors_), dtype));
    std::uint64_t last = 0;
    write_llmc(file_, *ours_, model_, tensors_, dtype, [&](std::uint64_t done) {
      EXPECT_GT(done, last);
      last = done;
    });
    EXPECT_EQ(last, compiler::parameter_count(tensors_));
  }
  std::int32_t header(std::size_t n) const {
    const std::string bytes = test::file_text(file_);
    std::int32_t value = 0;
    std::memcpy(&value, bytes.data() + 4 * n, 4);
    return value;
  }
  void set_header(std::size_t n, std::int32_t value) const {
    std::string bytes = test::file_text(file_);
    std::memcpy(bytes.data() + 4 * n, &value, 4);
    folder_.write("model.bin", bytes);
  }
  float element(std::size_t n) const {
    const std::string bytes = test::file_text(file_);
    float value = 0;
    std::memcpy(&value, bytes.data() + kLlmcHeader + 4 * n, 4);
    return value;
  }
  std::string refusal() const {
    return refusal_of([&] { open_weights(file_, model_, tensors_); });
  }

  test::TemporaryFolder folder_;
  std::string file_ = folder_ / "model.bin";
  compiler::ModelShape model_ = small_gpt2();
  std::vector<compiler::TensorInfo> tensors_ = compiler::model_tensors(model_);
  std::shared_ptr<const checkpoint::CheckpointReader> ours_;
};

TEST_F(Llmc, ARoundTripChangesNoBit) {
  for (const checkpoint::Dtype dtype : {checkpoint::Dtype::F32, checkpoint::Dtype::BF16}) {
    fill(dtype);
    const auto read = open_weights(file_, model_, tensors_);
    EXPECT_EQ(bits_of(*read), bits_of(*ours_));
    // Reads from the middle of one tensor into the next ones.
    std::vector<float> whole(read->size()), part(whole.size() - 100);
    read->read(checkpoint::CheckpointReader::kWeights, 0, whole);
    read->read(checkpoint::CheckpointReader::kWeights, 100, part);
    EXPECT_EQ(std::memcmp(part.data(), whole.data() + 100, 4 * part.size()), 0);
  }
}

/// Otherwise the file would mix tensors from before and after the change.
TEST_F(Llmc, ASourceThatChangesWhileItIsReadIsRefusedAndNothingIsWritten) {
  ours_ = checkpoint_of(folder_, model_, random_weights(compiler::parameter_count(tensors_), checkpoint::Dtype::F32));
  const std::string source = folder_ / "checkpoint_1.safetensors";
  const auto change = [&](std::uint64_t) {
    std::filesystem::last_write_time(source, std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
  };
  EXPECT_SAYS(refusal_of([&] { write_llmc(file_, *ours_, model_, tensors_, checkpoint::Dtype::F32, change); }),
              "checkpoint_1.safetensors: was written to while it was read");
  EXPECT_FALSE(std::filesystem::exists(file_));
}

/// The expected values follow the format's description in llmc.hpp.
TEST_F(Llmc, HeaderPaddingAndOrientationAreThoseOfTheFormat) {
  fill(checkpoint::Dtype::F32);
  const std::int32_t expected[] = {20240326, 3, 5, 11, 2, 2, 6, 128, 0};
  for (std::size_t n = 0; n < 9; ++n) EXPECT_EQ(header(n), expected[n]) << n;
  EXPECT_EQ(llmc_model(file_).seq, 5);
  std::vector<float> mine(ours_->size());
  ours_->read(checkpoint::CheckpointReader::kWeights, 0, mine);
  const auto at = [&](const char* name) { return compiler::find_tensor(tensors_, name).offset; };
  EXPECT_EQ(element(10 * 6 + 5), mine[10 * 6 + 5]) << "the last of wte";
  for (std::size_t n = 11 * 6; n < 128 * 6; ++n) ASSERT_EQ(element(n), 0) << "padding";
  EXPECT_EQ(element(128 * 6), mine[at("wpe.weight")]);
  const std::size_t norms = 128 * 6 + 5 * 6;
  EXPECT_EQ(element(norms + 6), mine[at("h.1.ln_1.weight")]) << "a tensor of all layers, then the next tensor";
  EXPECT_EQ(element(norms + 12), mine[at("h.0.ln_1.bias")]);
  const std::size_t qkv = norms + 24;  // here [out][in] = [18][6], in the file [6][18]
  EXPECT_EQ(element(qkv + 7 * 6 + 2), mine[at("h.0.attn.c_attn.weight") + 2 * 18 + 7]);
  EXPECT_EQ(test::file_text(file_).size(), 1024 + 4 * (mine.size() + 117 * 6));
}

TEST_F(Llmc, AnyPaddingIsTaken) {
  fill(checkpoint::Dtype::F32);
  std::string bytes = test::file_text(file_);
  bytes.erase(kLlmcHeader + 4 * 11 * 6, 4 * 117 * 6);
  folder_.write("model.bin", bytes);
  set_header(7, 11);
  EXPECT_EQ(bits_of(*open_weights(file_, model_, tensors_)), bits_of(*ours_));
}

TEST_F(Llmc, HeaderMismatchIsRejected) {
  fill(checkpoint::Dtype::BF16);
  const std::string whole = test::file_text(file_);
  set_header(1, 1);
  EXPECT_SAYS(refusal(), "version: 1 is neither 3 (fp32) nor 5 (bf16)");
  set_header(1, 3);
  EXPECT_SAYS(refusal(),
              fmt::format("has {} bytes, not {} as its header declares", whole.size(), 2 * whole.size() - 1024));
  set_header(1, 5);
  set_header(7, 10);
  EXPECT_SAYS(refusal(), "padded_vocab_size: 10 is below vocab_size");
  set_header(7, 128);
  for (const std::int32_t bad : {0, -1, 65536, 1 << 30}) {
    set_header(6, bad);
    EXPECT_SAYS(refusal(), fmt::format("channels: {} is not in 1..65535", bad));
  }
  set_header(6, 6);
  set_header(5, 3);
  EXPECT_SAYS(refusal(), "n_head is 3 and model.num_heads is 2");
  for (const std::size_t size : {whole.size() - 1, std::size_t{1023}, std::size_t{4}}) {
    folder_.write("model.bin", whole.substr(0, size));
    EXPECT_THROW(open_weights(file_, model_, tensors_), DamagedFile) << size;
  }
}

TEST_F(Llmc, AModelThatLlmcHasNotIsRefusedByItsKey) {
  const auto refusal = [&](const compiler::ModelShape& model) {
    return refusal_of([&] { llmc_layout(model, compiler::model_tensors(model), llmc_padded(model.vocab)); });
  };
  EXPECT_SAYS(refusal(small_gptj()), "model.network: llm.c has no gptj");
  EXPECT_SAYS(refusal(small_gpt2(false)), "model.share_embedding_weights: is false");
  compiler::ModelShape narrow = small_gpt2(), fine = small_gpt2();
  narrow.filter = 12, fine.ln_eps = 1e-6F;
  EXPECT_SAYS(refusal(narrow), "model.filter_size: is 12, but llm.c has 4 x hidden_size, 24");
  EXPECT_SAYS(refusal(fine), "model.layer_norm_epsilon: is 1e-06");
}

}  // namespace
}  // namespace weft::formats
