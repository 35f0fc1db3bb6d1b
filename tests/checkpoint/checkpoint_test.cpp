#include "host/checkpoint/checkpoint.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <utility>

#include "host/checkpoint/file.hpp"
#include "host/checkpoint/unusable.hpp"
#include "sw/compiler/model/tensors.hpp"
#include "tests/checkpoint/files.hpp"

namespace weft::checkpoint {
namespace {

constexpr compiler::ModelShape kModel{
    .vocab = 7, .hidden = 2, .layers = 1, .heads = 1, .filter = 3, .seq = 5, .tied = true};

class CheckpointTest : public testing::Test {
 protected:
  CheckpointTest() {
    const std::uint64_t size = compiler::parameter_count(tensors_);
    state_.step = 12;
    state_.about = {{"seed", "3"}};
    state_.mask["wpe.weight"] = {true, false, true, true, false, true, true, true, true, false};
    for (std::uint64_t i = 0; i < size; ++i) {
      state_.weights.push_back(static_cast<float>(i) / 8 - 3);
      state_.first_moments.push_back(-static_cast<float>(i));
      state_.second_moments.push_back(static_cast<float>(i * i));
    }
    state_.weights[1] = -0.0F;
    state_.weights[2] = 1e-42F;  // subnormal
    state_.weights[3] = -0x1.fffffep19F;
  }

  CheckpointView view() const {
    return {state_.step, state_.weights, state_.first_moments, state_.second_moments, &state_.mask, state_.about};
  }

  static bool same(const std::vector<float>& a, const std::vector<float>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
  }

  static std::string refusal(const std::string& file, const std::vector<compiler::TensorInfo>& tensors) {
    try {
      load_checkpoint(file, tensors);
    } catch (const Refusal& e) {
      return e.what();
    }
    return "accepted";
  }

  TestFolder folder_{"checkpoint_test"};
  std::string file_ = folder_ / "c.safetensors";
  std::vector<compiler::TensorInfo> tensors_ = compiler::model_tensors(kModel);
  Checkpoint state_;
};

TEST_F(CheckpointTest, ANonNumberWhereARunContinuesFromANumberIsDamage) {
  for (const auto& [key, wrong] : {std::pair{"dealt", "-1"},
                                   {"dealt", "9999999999999999999999"},
                                   {"dealt", ""},
                                   {"average_loss", "x"},
                                   {"average_loss", "3.5 "},
                                   {"average_loss", "1e999"},
                                   {"average_loss", "nan"}}) {
    state_.about = {{key, wrong}};
    save_checkpoint(file_, tensors_, view());
    EXPECT_EQ(refusal(file_, tensors_), file_ + ": weft." + key + ": is not a number. HINT: take another checkpoint.")
        << wrong;
  }
  state_.about = {{"dealt", "12"}, {"average_loss", "3.5"}};
  save_checkpoint(file_, tensors_, view());
  EXPECT_EQ(refusal(file_, tensors_), "accepted");
}

TEST_F(CheckpointTest, ASavedStateIsLoadedBitForBit) {
  save_checkpoint(file_, tensors_, view());
  const Checkpoint loaded = load_checkpoint(file_, tensors_);
  EXPECT_EQ(loaded.step, 12U);
  EXPECT_FALSE(loaded.weights_only);
  EXPECT_TRUE(same(loaded.weights, state_.weights));
  EXPECT_TRUE(same(loaded.first_moments, state_.first_moments));
  EXPECT_TRUE(same(loaded.second_moments, state_.second_moments));
  EXPECT_EQ(loaded.mask, state_.mask);
  EXPECT_EQ(loaded.about, state_.about);
  EXPECT_EQ(folder_.names(), std::vector<std::string>{"c.safetensors"});
}

TEST_F(CheckpointTest, TheFileHasTheFormatThatOtherProgramsExpect) {
  save_checkpoint(file_, tensors_, view());
  const FileBytes bytes = read_file(file_);
  const Safetensors content = parse_safetensors(bytes, file_);
  EXPECT_EQ(content.metadata.at("format"), "pt");
  std::map<std::string, TensorView> by_name;
  for (const TensorView& tensor : content.tensors) by_name[tensor.name] = tensor;
  EXPECT_EQ(by_name.size(), 3 * tensors_.size() + 1);
  for (const compiler::TensorInfo& t : tensors_) {
    for (const char* prefix : {"", "weft.m.", "weft.v."}) {
      const TensorView& tensor = by_name.at(prefix + t.name);
      EXPECT_EQ(tensor.dtype, Dtype::F32);
      EXPECT_EQ(tensor.shape, std::vector<std::uint64_t>(t.dims.begin(), t.dims.end()));
    }
  }
  EXPECT_EQ(by_name.at("h.0.attn.c_attn.weight").shape, (std::vector<std::uint64_t>{2, 6}));
  EXPECT_EQ(by_name.at("weft.mask.wpe.weight").dtype, Dtype::Bool);
}

TEST_F(CheckpointTest, EveryFlippedBitIsFound) {
  save_checkpoint(file_, tensors_, view());
  FileBytes bytes = read_file(file_);
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    bytes[bit / 8] ^= static_cast<std::uint8_t>(1 << bit % 8);
    EXPECT_THROW(parse_checkpoint(bytes, file_, tensors_), DamagedFile) << "bit " << bit;
    bytes[bit / 8] ^= static_cast<std::uint8_t>(1 << bit % 8);
  }
  EXPECT_NO_THROW(parse_checkpoint(bytes, file_, tensors_));
}

TEST_F(CheckpointTest, AFileCutAnywhereOrWithMoreBehindItIsDamaged) {
  save_checkpoint(file_, tensors_, view());
  FileBytes bytes = read_file(file_);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THROW(parse_checkpoint(std::span(bytes).first(size), file_, tensors_), DamagedFile) << size;
  }
  bytes.push_back(0);
  EXPECT_THROW(parse_checkpoint(bytes, file_, tensors_), DamagedFile);
}

TEST_F(CheckpointTest, AnotherModelsIsRejectedWithTheTensorAndBothShapes) {
  save_checkpoint(file_, tensors_, view());
  compiler::ModelShape other = kModel;
  other.filter = 4;
  EXPECT_EQ(refusal(file_, compiler::model_tensors(other)),
            file_ +
                ": h.0.mlp.c_fc.weight: shape is [2, 3], the model's is [2, 4]. HINT: give the model the "
                "checkpoint's shape, or take another checkpoint or runconfig.model_dir.");
  other = kModel;
  other.layers = 2;
  EXPECT_NE(refusal(file_, compiler::model_tensors(other)).find("h.1.ln_1.weight: is missing from the file"),
            std::string::npos);
  other = kModel;
  other.tied = false;
  EXPECT_NE(refusal(file_, compiler::model_tensors(other))
                .find("lm_head.weight: is missing from the file. HINT: set "
                      "model.share_embedding_weights true"),
            std::string::npos);
  state_.mask.clear();
  other = kModel;
  std::vector<compiler::TensorInfo> fewer = tensors_;
  fewer.pop_back();
  EXPECT_NE(refusal(file_, fewer).find("ln_f.bias: is not a tensor of the model"), std::string::npos);
}

/// The file is complete and its checksum correct, but no run can continue with its values.
TEST_F(CheckpointTest, NumbersThatNoRunContinuesWithAreRejectedByName) {
  const auto said = [&](std::vector<float>& values, float value) {
    const float before = std::exchange(values[16], value);  // element 2 of wpe.weight, which begins at 14
    save_checkpoint(file_, tensors_, view());
    values[16] = before;
    EXPECT_THROW(load_checkpoint(file_, tensors_), DivergedCheckpoint);
    const std::string line = refusal(file_, tensors_), hint = ". HINT: take an earlier checkpoint.";
    EXPECT_EQ(line.substr(0, file_.size() + 2), file_ + ": ");
    EXPECT_TRUE(line.ends_with(hint)) << line;
    return line.substr(file_.size() + 2, line.size() - file_.size() - 2 - hint.size());
  };
  EXPECT_EQ(said(state_.weights, NAN), "wpe.weight: element 2 is not finite");
  EXPECT_EQ(said(state_.weights, -NAN), "wpe.weight: element 2 is not finite");
  EXPECT_EQ(said(state_.weights, -INFINITY), "wpe.weight: element 2 is not finite");
  EXPECT_EQ(said(state_.weights, 0x1p20F), "wpe.weight: element 2 is 1048576, not below 2^20");
  EXPECT_EQ(said(state_.weights, -3e30F), "wpe.weight: element 2 is -3e+30, not below 2^20");
  EXPECT_EQ(said(state_.first_moments, INFINITY), "weft.m.wpe.weight: element 2 is not finite");
  EXPECT_EQ(said(state_.second_moments, NAN), "weft.v.wpe.weight: element 2 is not finite");
  state_.first_moments[16] = -3e38F;  // no run produces these, but they are finite
  state_.second_moments[16] = 3e38F;
  save_checkpoint(file_, tensors_, view());
  EXPECT_EQ(refusal(file_, tensors_), "accepted");
}

TEST_F(CheckpointTest, AFolderAPipeOrNothingIsNoCheckpoint) {
  const std::string pipe = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& file : {folder_.path().string(), folder_ / "none", pipe}) {
    EXPECT_EQ(refusal(file, tensors_).rfind(file + ": cannot be read: ", 0), 0U) << refusal(file, tensors_);
  }
}

}  // namespace
}  // namespace weft::checkpoint
