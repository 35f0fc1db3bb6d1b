/// Files with weights only, as other programs write them.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "host/checkpoint/checkpoint.hpp"
#include "host/checkpoint/convert.hpp"
#include "sw/compiler/model/tensors.hpp"
#include "tests/checkpoint/files.hpp"
#include "tests/says.hpp"

namespace weft::checkpoint {
namespace {

constexpr compiler::ModelShape kTied{
    .vocab = 7, .hidden = 2, .layers = 1, .heads = 1, .filter = 3, .seq = 5, .tied = true};
constexpr compiler::ModelShape kUntied{
    .vocab = 7, .hidden = 2, .layers = 1, .heads = 1, .filter = 3, .seq = 5, .tied = false};

/// A file under construction.
struct Foreign {
  struct Tensor {
    std::string name;
    Dtype dtype;
    std::vector<std::uint64_t> shape;
    FileBytes data;
  };
  std::vector<Tensor> tensors;

  explicit Foreign(const compiler::ModelShape& model) {
    float next = 0;
    for (const compiler::TensorInfo& t : compiler::model_tensors(model)) {
      std::vector<float> values(t.size);
      for (float& value : values) value = next += 0.25F;
      add(t.name, {t.dims.begin(), t.dims.end()}, values);
    }
  }
  void add(const std::string& name, std::vector<std::uint64_t> shape, const std::vector<float>& values) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(values.data());
    tensors.push_back({name, Dtype::F32, std::move(shape), {bytes, bytes + 4 * values.size()}});
  }
  Tensor& find(const std::string& name) {
    return *std::find_if(tensors.begin(), tensors.end(), [&](const Tensor& t) { return t.name == name; });
  }
  FileBytes bytes() const {
    std::vector<TensorView> views;
    for (const Tensor& t : tensors) views.push_back({t.name, t.dtype, t.shape, t.data});
    FileBytes file = bytes_of(safetensors_header({{"format", "pt"}}, views));
    for (const Tensor& t : tensors) file.insert(file.end(), t.data.begin(), t.data.end());
    return file;
  }
};

Checkpoint load(const Foreign& file, const compiler::ModelShape& model) {
  return parse_checkpoint(file.bytes(), "theirs.safetensors", compiler::model_tensors(model));
}

std::string refusal(const Foreign& file, const compiler::ModelShape& model = kTied) {
  try {
    load(file, model);
  } catch (const Refusal& e) {
    return e.what();
  }
  return "accepted";
}

void expect_weights(const Checkpoint& loaded) {
  EXPECT_TRUE(loaded.weights_only);
  EXPECT_EQ(loaded.step, 0U);
  for (std::size_t i = 0; i < loaded.weights.size(); ++i) {
    EXPECT_EQ(loaded.weights[i], 0.25F * static_cast<float>(i + 1));
    EXPECT_EQ(loaded.first_moments[i], 0);
    EXPECT_EQ(loaded.second_moments[i], 0);
  }
}

TEST(Foreign, WeightsAloneStartAtStepZeroWithoutMoments) {
  expect_weights(load(Foreign(kTied), kTied));
  expect_weights(load(Foreign(kUntied), kUntied));
}

TEST(Foreign, NamesMayBeThoseOfTheWholeModelAndBuffersAreIgnored) {
  Foreign file(kUntied);
  for (auto& tensor : file.tensors) {
    if (tensor.name != "lm_head.weight") tensor.name = "transformer." + tensor.name;
  }
  file.add("transformer.h.0.attn.bias", {1, 1, 2, 2}, {1, 0, 1, 1});
  file.add("transformer.h.0.attn.masked_bias", {}, {-1e4F});
  expect_weights(load(file, kUntied));
}

TEST(Foreign, NamesMayHaveThePrefixesOfPyTorchsWrappers) {
  for (const std::string before :
       {"module.", "_orig_mod.", "model.", "_orig_mod.module.transformer.",
        "_fsdp_wrapped_module.transformer._fsdp_wrapped_module.", "model.module._orig_mod."}) {
    Foreign file(kUntied);
    for (auto& tensor : file.tensors) tensor.name = before + tensor.name;
    expect_weights(load(file, kUntied));
  }
  Foreign file(kTied);
  for (auto& tensor : file.tensors)
    if (tensor.name.starts_with("h.0."))
      tensor.name = "transformer.h.0._checkpoint_wrapped_module._orig_mod." + tensor.name.substr(4);
  file.add("module.h.0.attn.masked_bias", {}, {-1e4F});
  expect_weights(load(file, kTied));
}

/// A prefix of any name, before all names or before all but the output head's.
TEST(Foreign, NamesMayHaveOnePrefixOfAnyName) {
  for (const std::string before :
       {"base_model.model.", "base_model.model.transformer.", "gpt.", "backbone.transformer.", "state_dict.",
        "state_dict.model._orig_mod.", "_orig_mod.gpt.", "h.", "lit.gpt.net."}) {
    for (const bool head : {false, true}) {
      Foreign file(kUntied);
      for (auto& tensor : file.tensors)
        if (head || tensor.name != "lm_head.weight") tensor.name = before + tensor.name;
      file.add(before + "h.0.attn.masked_bias", {}, {-1e4F});
      SCOPED_TRACE(before);
      expect_weights(load(file, kUntied));
    }
  }
  Foreign some(kTied);
  for (auto& tensor : some.tensors)
    if (&tensor != &some.tensors.front()) tensor.name = "gpt." + tensor.name;
  EXPECT_SAYS(refusal(some), "theirs.safetensors: ") << "a prefix of some names is none of all";
}

TEST(Foreign, ATensorOfTheModelKeepsItsNameThoughItReadsLikeAWrapper) {
  const std::vector<compiler::TensorInfo> own = {{.name = "model.scale", .dims = {2}, .size = 2}};
  Foreign file(kTied);
  file.tensors.clear();
  file.add("module.model.scale", {2}, {0.25F, 0.5F});
  expect_weights(parse_checkpoint(file.bytes(), "theirs.safetensors", own));
}

TEST(Foreign, WeightsOfAnotherKindOfModelAreCalledSo) {
  Foreign file(kTied);
  file.tensors.clear();
  file.add("model.layers.0.self_attn.q_proj.weight", {2, 2}, {1, 0, 0, 1});
  EXPECT_SAYS(refusal(file),
              "layers.0.self_attn.q_proj.weight: is not a tensor of the model, and no other tensor of the "
              "file is. HINT: take the weights of a GPT-2, GPT-J or LLaMA");
  file = Foreign(kTied);
  file.add("base_model.model.h.0.attn.c_attn.lora_A.default.weight", {1, 2}, {1, 1});
  EXPECT_SAYS(refusal(file), "belongs to an adapter (LoRA), not to a whole model. HINT: merge it into its model");
  file.tensors.clear();
  EXPECT_SAYS(refusal(file), "theirs.safetensors: has no tensors");
}

/// nanoGPT and others use nn.Linear in the blocks, with weights of shape [out][in].
TEST(Foreign, TransposedMatricesAreNamedWithTheCommandThatTurnsThem) {
  Foreign file(kTied);
  std::ranges::reverse(file.find("h.0.attn.c_attn.weight").shape);
  EXPECT_SAYS(refusal(file),
              "h.0.attn.c_attn.weight: has the shape [6, 2], the model's is [2, 6]: the order of nn.Linear (nanoGPT). "
              "HINT: transpose the blocks' matrices: python3 -c ");
}

/// Here the network's linear `attn` has a bias, which is not the buffer of the same name.
TEST(Foreign, ATensorCalledAsABufferIsNone) {
  const std::vector<compiler::TensorInfo> own = {{.name = "h.0.attn.bias", .dims = {2}, .size = 2}};
  Foreign file(kTied);
  file.tensors.clear();
  file.add("transformer.h.0.attn.bias", {2}, {0.25F, 0.5F});
  file.add("h.0.attn.masked_bias", {}, {-1e4F});
  expect_weights(parse_checkpoint(file.bytes(), "theirs.safetensors", own));
}

TEST(Foreign, AHeadThatEqualsTheEmbeddingIsThatOfATiedModel) {
  Foreign file(kTied);
  Foreign::Tensor head = file.find("wte.weight");
  head.name = "lm_head.weight";
  file.tensors.push_back(head);
  expect_weights(load(file, kTied));
  file.tensors.back().data[3] ^= 1;
  EXPECT_EQ(
      refusal(file),
      "theirs.safetensors: lm_head.weight: differs from wte.weight. HINT: set model.share_embedding_weights false.");
}

TEST(Foreign, HalfAndBfloatWeightsBecomeTheSameNumbersInFp32) {
  Foreign file(kTied);
  auto& bias = file.find("ln_f.bias");
  bias.dtype = Dtype::BF16;
  bias.data = {0x40, 0x40, 0x80, 0xBF};  // 3, -1
  auto& scale = file.find("ln_f.weight");
  scale.dtype = Dtype::F16;
  scale.data = {0x00, 0x3E, 0x01, 0x80};  // 1.5, -2^-24
  const Checkpoint loaded = load(file, kTied);
  const auto tensors = compiler::model_tensors(kTied);
  const float* weight = &loaded.weights[compiler::find_tensor(tensors, "ln_f.weight").offset];
  EXPECT_EQ(weight[0], 1.5F);
  EXPECT_EQ(weight[1], -0x1p-24F);
  EXPECT_EQ(weight[2], 3.0F);
  EXPECT_EQ(weight[3], -1.0F);
}

/// Compares all 65536 halves with the definition.
TEST(Foreign, EveryHalfIsConvertedExactly) {
  for (unsigned half = 0; half < 0x10000; ++half) {
    const std::uint8_t bytes[] = {static_cast<std::uint8_t>(half), static_cast<std::uint8_t>(half >> 8)};
    float value = 0;
    to_float(Dtype::F16, bytes, {&value, 1});
    const int exponent = half >> 10 & 31, fraction = half & 1023, sign = half >> 15 ? -1 : 1;
    if (exponent == 31) {
      EXPECT_TRUE(fraction ? std::isnan(value) : std::isinf(value)) << half;
    } else {
      const double size = exponent ? (1 + fraction / 1024.0) * std::exp2(exponent - 15) : fraction * std::exp2(-24);
      EXPECT_EQ(value, sign * size) << half;
    }
    EXPECT_EQ(std::signbit(value), sign < 0) << half;
  }
}

TEST(Foreign, AnotherModelIsRejectedByName) {
  const auto expect = [](const Foreign& file, const std::string& problem) {
    EXPECT_NE(refusal(file).find(problem), std::string::npos) << refusal(file);
  };
  Foreign file(kTied);
  file.find("wte.weight").shape = {2, 7};
  expect(file, "wte.weight: shape is [2, 7], the model's is [7, 2]");
  file = Foreign(kTied);
  file.tensors.pop_back();
  expect(file, "ln_f.bias: is missing from the file");
  file = Foreign(kTied);
  file.add("h.1.ln_1.weight", {2}, {1, 1});
  expect(file, "h.1.ln_1.weight: is not a tensor of the model");
  file = Foreign(kTied);
  file.find("ln_f.bias").dtype = Dtype::I32;
  expect(file, "ln_f.bias: has the type I32. HINT: write it as F32, F16 or BF16");
  file = Foreign(kTied);
  file.add("transformer.ln_f.bias", {2}, {1, 1});
  expect(file, "ln_f.bias: occurs twice");
  file = Foreign(kTied);
  file.find("ln_f.bias").data = {0, 0, 0, 0, 0, 0, 0x80, 0x7F};
  expect(file, "ln_f.bias: element 1 is not finite. HINT: take another file");
  file.find("ln_f.bias").data = {0, 0, 0, 0, 0, 0, 0x80, 0xC9};
  expect(file, "ln_f.bias: element 1 is -1048576, not below 2^20. HINT: take another file");
}

TEST(Foreign, OurMomentsWithoutOurFormatAreDamage) {
  Foreign file(kTied);
  file.add("weft.m.ln_f.bias", {2}, {1, 1});
  EXPECT_THROW(load(file, kTied), DamagedFile);
}

}  // namespace
}  // namespace weft::checkpoint
