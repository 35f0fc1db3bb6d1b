/// Weights in other formats, given as a checkpoint_path.
#include <gtest/gtest.h>

#include "host/formats/hf_config.hpp"
#include "host/formats/open_weights.hpp"
#include "sw/compiler/model/tensors.hpp"
#include "tests/formats/weights.hpp"
#include "tests/says.hpp"
#include "tests/temporary_folder.hpp"

namespace weft::formats {
namespace {

using namespace std::string_literals;

class OtherFormats : public testing::Test {
 protected:
  std::string refusal(const std::string& path) {
    const compiler::ModelShape model = small_gpt2();
    return refusal_of([&] { open_weights(path, model, compiler::model_tensors(model)); });
  }
  const test::TemporaryFolder folder_;
};

TEST_F(OtherFormats, AreCalledByTheirNames) {
  std::string zip(30, '\0');
  zip.replace(0, 4, "PK\x03\x04");
  zip[26] = 16;
  EXPECT_SAYS(refusal(folder_.write("model.pt", zip + "archive/data.pkl...")),
              "model.pt: is a file of PyTorch, not a safetensors file. HINT: convert it: python3 -c ");
  EXPECT_SAYS(refusal(folder_.write("m.gguf", "GGUF\x03\0\0\0rest"s)), "m.gguf: is a file of llama.cpp");
  EXPECT_SAYS(refusal(folder_.write("a.safetensors", "version https://git-lfs.github.com/spec/v1\noid")),
              "a.safetensors: is a pointer of Git LFS, not a safetensors file. HINT: fetch the file");
  EXPECT_SAYS(refusal(folder_.write("b.safetensors", "<html><body>Sign in</body></html>")), "is an HTML page");
  EXPECT_SAYS(refusal(folder_.write("model.safetensors.index.json", R"({"metadata": {}, "weight_map": {"a": "b"}})")),
              "is the index of a checkpoint in several files, not a safetensors file. HINT: name the folder");
  EXPECT_SAYS(refusal(folder_.write("config.json", R"({"model_type": "gpt2"})")), "is a model's config.json");
}

TEST_F(OtherFormats, WholeFolderIsNamedByItsContents) {
  folder_.write("hf/config.json", hf_config(small_gpt2(), checkpoint::Dtype::F32, 0));
  folder_.write("hf/pytorch_model.bin", "x");
  EXPECT_SAYS(
      refusal(folder_ / "hf"),
      "hf: has neither model.safetensors nor model.safetensors.index.json, but pytorch_model.bin. HINT: convert "
      "it: python3 -c \"import sys;from transformers import");
  folder_.write("lora/adapter_config.json", "{}");
  EXPECT_SAYS(refusal(folder_ / "lora"), "lora: has adapter_config.json, of an adapter (LoRA), but no config.json");
  folder_.write("dcp/__0_0.distcp", "");
  EXPECT_SAYS(refusal(folder_ / "dcp"), "of a distributed checkpoint of PyTorch, but no config.json. HINT: make one");
  folder_.write("tf/model.ckpt.data-00000-of-00001", "");
  EXPECT_SAYS(refusal(folder_ / "tf"), "of TensorFlow");
  folder_.write("ours/checkpoint_3.safetensors", "");
  folder_.write("ours/checkpoint_12.safetensors", "");
  EXPECT_SAYS(refusal(folder_ / "ours"), "ours: is a folder of checkpoints, not one of them. HINT: name the file " +
                                             (folder_ / "ours/checkpoint_12"));
  folder_.write("one/weights.safetensors", "");
  EXPECT_SAYS(refusal(folder_ / "one"), "HINT: name that file, " + (folder_ / "one/weights.safetensors"));
  folder_.write("none/notes.md", "");
  EXPECT_SAYS(refusal(folder_ / "none"), "none: is a folder without a config.json");
}

/// A variant of the weights, shards without their index, and a variant's index.
TEST_F(OtherFormats, WeightsUnderAnotherNameComeWithTheCommandThatRenamesThem) {
  const auto folder = [&](const std::string& name, const std::string& file) {
    folder_.write(name + "/config.json", hf_config(small_gpt2(), checkpoint::Dtype::F32, 0));
    folder_.write(name + "/" + file, "x");
    return refusal(folder_ / name);
  };
  EXPECT_SAYS(folder("variant", "model.fp16.safetensors"), "but model.fp16.safetensors. HINT: give it that name: mv " +
                                                               (folder_ / "variant/model.fp16.safetensors") + " " +
                                                               (folder_ / "variant/model.safetensors"));
  EXPECT_SAYS(folder("shards", "model-00001-of-00002.safetensors"), "HINT: fetch model.safetensors.index.json of the");
  EXPECT_SAYS(folder("index", "model.safetensors.index.fp16.json"), "/index/model.safetensors.index.json");
  EXPECT_SAYS(folder("none", "readme.md"), "HINT: fetch the weights in safetensors into the folder");
}

TEST_F(OtherFormats, AnAdapterNextToAConfigIsNotToBeRenamed) {
  for (const std::string name : {"adapter_model.safetensors", "adapter_model.bin", "adapter_config.json"}) {
    const std::string folder = "lora_" + name.substr(8);
    folder_.write(folder + "/config.json", hf_config(small_gpt2(), checkpoint::Dtype::F32, 0));
    folder_.write(folder + "/" + name, "x");
    EXPECT_SAYS(refusal(folder_ / folder),
                "has neither model.safetensors nor model.safetensors.index.json, but " + name +
                    ", of an adapter (LoRA). HINT: merge it into its model: merge_and_unload(), then save_pretrained");
    folder_.write(folder + "/pytorch_model.bin", "x");
    EXPECT_SAYS(refusal(folder_ / folder), "but pytorch_model.bin. HINT: convert it");
  }
}

TEST_F(OtherFormats, NoneOfThemHasAModelToImport) {
  EXPECT_SAYS(refusal_of([&] { model_of_weights(folder_ / "gone"); }), "gone: does not exist");
  EXPECT_SAYS(refusal_of([&] { model_of_weights(folder_.write("m.bin", "")); }), "m.bin: is empty");
  EXPECT_SAYS(refusal_of([&] { model_of_weights(folder_.write("m.gguf", "GGUF\x03\0\0\0rest"s)); }),
              "m.gguf: is a file of llama.cpp");
  folder_.write("dcp/__0_0.distcp", "");
  EXPECT_SAYS(refusal_of([&] { model_of_weights(folder_ / "dcp"); }), "of a distributed checkpoint of PyTorch");
}

}  // namespace
}  // namespace weft::formats
