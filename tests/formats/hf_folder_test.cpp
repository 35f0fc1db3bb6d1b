/// Folders in the format of save_pretrained.
#include "host/formats/hf_folder.hpp"

#include <nlohmann/json.hpp>

#include "host/formats/hf_config.hpp"
#include "host/formats/open_weights.hpp"
#include "host/formats/write_weights.hpp"
#include "tests/formats/weights.hpp"

namespace weft::formats {
namespace {

using Json = nlohmann::ordered_json;

class HfFolder : public testing::Test {
 protected:
  void fill(const compiler::ModelShape& model, checkpoint::Dtype dtype = checkpoint::Dtype::F32) {
    model_ = model, tensors_ = compiler::model_tensors(model), dtype_ = dtype;
    ours_ = checkpoint_of(folder_, model, random_weights(compiler::parameter_count(tensors_), dtype));
    folder_.write("hf/config.json", hf_config(model, dtype, 1));
    std::uint64_t last = 0;
    write_hf_weights(file(), *ours_, tensors_, dtype, [&](std::uint64_t done) {
      EXPECT_GT(done, last);
      last = done;
    });
    EXPECT_EQ(last, compiler::parameter_count(tensors_));
  }
  std::string file() const { return folder_ / "hf/model.safetensors"; }
  auto load() const { return open_weights(folder_ / "hf", model_, tensors_); }
  std::string refusal() const {
    return refusal_of([&] { load(); });
  }

  /// Writes the file's tensors, modified by `change`, as `count` shards with an index.
  void make_shards(std::size_t count) {
    const std::string bytes = test::file_text(file());
    const checkpoint::Safetensors whole =
        checkpoint::parse_safetensors({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, "");
    Json map = Json::object();
    for (std::size_t shard = 0; shard < count; ++shard) {
      const std::string name = "model-" + std::to_string(shard) + ".safetensors";
      std::vector<checkpoint::TensorView> some;
      for (std::size_t n = shard; n < whole.tensors.size(); n += count) some.push_back(whole.tensors[n]);
      std::string text = checkpoint::safetensors_header({{"format", "pt"}}, some);
      for (const checkpoint::TensorView& tensor : some) {
        text.append(tensor.data.begin(), tensor.data.end());
        map[tensor.name] = name;
      }
      folder_.write("hf/" + name, text);
    }
    write_index(map);
    std::filesystem::remove(file());
  }
  void write_index(const Json& map) const {
    folder_.write("hf/model.safetensors.index.json",
                  Json{{"metadata", {{"total_size", 1}}}, {"weight_map", map}}.dump());
  }
  Json index() const { return Json::parse(test::file_text(folder_ / "hf/model.safetensors.index.json"))["weight_map"]; }

  /// Overwrites part of the file's header with text of the same length.
  void edit(const std::string& from, const std::string& to) const {
    ASSERT_EQ(from.size(), to.size());
    std::string bytes = test::file_text(file());
    const std::size_t at = bytes.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    folder_.write("hf/model.safetensors", bytes.replace(at, from.size(), to));
  }

  test::TemporaryFolder folder_;
  compiler::ModelShape model_;
  checkpoint::Dtype dtype_ = checkpoint::Dtype::F32;
  std::vector<compiler::TensorInfo> tensors_;
  std::shared_ptr<const checkpoint::CheckpointReader> ours_;
};

TEST_F(HfFolder, ARoundTripChangesNoBitOfAnyNetworkInAnyType) {
  for (const compiler::ModelShape& model : {small_gpt2(), small_gpt2(false), small_gptj(), small_llama()}) {
    for (const checkpoint::Dtype dtype : {checkpoint::Dtype::F32, checkpoint::Dtype::BF16, checkpoint::Dtype::F16}) {
      SCOPED_TRACE(model.network + " " + std::string(checkpoint::dtype_name(dtype)));
      fill(model, dtype);
      EXPECT_EQ(bits_of(*load()), bits_of(*ours_));
      EXPECT_TRUE(load()->weights_only);
      make_shards(3);
      EXPECT_EQ(bits_of(*load()), bits_of(*ours_));
    }
  }
}

TEST_F(HfFolder, NamesMayBeThoseOfTheModelWithoutItsHead) {
  fill(small_gpt2());
  std::string bytes = test::file_text(file());
  for (std::size_t at = 0; (at = bytes.find("\"transformer.", at)) != std::string::npos;)
    bytes.replace(at, 13, "\"").insert(bytes.find("}", at), 12, ' ');
  folder_.write("hf/model.safetensors", bytes);
  EXPECT_EQ(bits_of(*load()), bits_of(*ours_));
}

/// LlamaForCausalLM's names, with a head that repeats the token table, and the angles that older versions save.
TEST_F(HfFolder, LlamaHasTheNamesOfItsClass) {
  compiler::ModelShape model = small_llama();
  model.tied = true;
  fill(model);
  const std::string bytes = test::file_text(file());
  for (const char* name : {"model.embed_tokens.weight", "model.layers.0.self_attn.k_proj.weight",
                           "model.layers.1.mlp.gate_proj.weight", "model.norm.weight"})
    EXPECT_NE(bytes.find(fmt::format("\"{}\"", name)), std::string::npos) << name;
  const checkpoint::Safetensors whole =
      checkpoint::parse_safetensors({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, "");
  std::vector<checkpoint::TensorView> views = whole.tensors;
  const auto table = std::ranges::find(views, "model.embed_tokens.weight", &checkpoint::TensorView::name);
  ASSERT_NE(table, views.end());
  checkpoint::TensorView head = *table, angles = *table;
  head.name = "lm_head.weight", angles.name = "model.layers.0.self_attn.rotary_emb.inv_freq";
  views.push_back(head), views.push_back(angles);
  std::string text = checkpoint::safetensors_header({{"format", "pt"}}, views);
  for (const checkpoint::TensorView& tensor : views) text.append(tensor.data.begin(), tensor.data.end());
  folder_.write("hf/model.safetensors", text);
  EXPECT_EQ(bits_of(*load()), bits_of(*ours_));
}

TEST_F(HfFolder, AModelThatIsAnotherIsRefusedBeforeItsTensors) {
  fill(small_gpt2());
  model_.heads = 3;
  const std::string said = refusal();
  EXPECT_SAYS(said, "config.json: n_head is 2 and model.num_heads is 3");
  EXPECT_SAYS(said, "set --model.num_heads 2");
}

TEST_F(HfFolder, DamageIsNamedWithItsFile) {
  fill(small_gpt2());
  const std::string whole = test::file_text(file());
  for (const std::size_t size : {whole.size() - 1, std::size_t{9}, std::size_t{3}}) {
    folder_.write("hf/model.safetensors", whole.substr(0, size));
    EXPECT_SAYS(refusal(), "model.safetensors: ");
    EXPECT_THROW(load(), DamagedFile) << size;
  }
  std::filesystem::remove(file());
  EXPECT_SAYS(refusal(), "hf: has neither model.safetensors nor model.safetensors.index.json");
  std::filesystem::remove(folder_ / "hf/config.json");
  EXPECT_SAYS(refusal(), "hf: is a folder without a config.json");
}

TEST_F(HfFolder, TensorsMustBeThoseOfTheModel) {
  fill(small_gpt2());
  const std::string whole = test::file_text(file());
  edit("transformer.ln_f.weight", "transformer.ln_g.weight");
  EXPECT_SAYS(refusal(), "ln_f.weight: is missing from the file");
  folder_.write("hf/model.safetensors", whole);
  edit("\"shape\":[5,6]", "\"shape\":[6,5]");
  EXPECT_SAYS(refusal(), "wpe.weight: shape is [6, 5], the model's is [5, 6]");
  folder_.write("hf/model.safetensors", whole);
  edit("F32", "I32");
  EXPECT_SAYS(refusal(), "has the type I32");
  fill(small_gpt2(false));
  model_.tied = true;
  folder_.write("hf/config.json", hf_config(model_, checkpoint::Dtype::F32, 1));
  tensors_ = compiler::model_tensors(model_);
  EXPECT_SAYS(refusal(), "lm_head.weight: differs from wte.weight");
}

/// The class's names, also those of a checkpoint that TensorFlow wrote, and tensors that masked tokens do not need.
TEST_F(HfFolder, BertHasTheNamesOfItsClass) {
  for (const bool tied : {true, false}) {
    fill(small_bert(tied));
    std::string bytes = test::file_text(file());
    for (const char* name :
         {"\"bert.embeddings.word_embeddings.weight\"", "\"bert.embeddings.LayerNorm.bias\"",
          "\"bert.encoder.layer.1.attention.self.query.weight\"", "\"bert.encoder.layer.0.output.LayerNorm.weight\"",
          "\"cls.predictions.bias\"", "\"cls.predictions.transform.dense.weight\""})
      EXPECT_NE(bytes.find(name), std::string::npos) << name;
    EXPECT_EQ(bytes.find("cls.predictions.decoder") == std::string::npos, tied);
    EXPECT_EQ(bits_of(*load()), bits_of(*ours_));
    for (std::size_t at; (at = bytes.find("LayerNorm.weight\"")) != std::string::npos;)
      bytes.replace(at, 17, "LayerNorm.gamma\" ");
    folder_.write("hf/model.safetensors", bytes);
    EXPECT_EQ(bits_of(*load()), bits_of(*ours_));
  }
  fill(small_bert());
  const std::string name = "cls.predictions.transform.dense.bias";
  std::string bytes = test::file_text(file());
  bytes.replace(bytes.find(name), name.size(), "cls.seq_relationship.weight.unneeded");
  folder_.write("hf/model.safetensors", bytes);
  EXPECT_SAYS(refusal(), "cls.predictions.transform.dense.bias: is missing from the file");
}

TEST_F(HfFolder, AnIndexMustNameWhatIsThere) {
  fill(small_gpt2());
  make_shards(2);
  const Json map = index();
  const std::string name = "transformer.wpe.weight";
  const auto with = [&](const Json& value) {
    Json other = map;
    other[name] = value;
    write_index(other);
    return refusal();
  };
  EXPECT_SAYS(with("model-0.safetensors"), "model-0.safetensors: transformer.wpe.weight: is missing from this file");
  for (const Json& bad : {Json("../model-1.safetensors"), Json(""), Json(7), Json("..")})
    EXPECT_SAYS(with(bad), "is not the name of a file next to it");
  Json fewer = map;
  fewer.erase(name);
  write_index(fewer);
  EXPECT_SAYS(refusal(), "transformer.wpe.weight: does not match the index entry of this file");
  Json lost = map;
  for (auto& shard : lost)
    if (shard == "model-1.safetensors") shard = "model-9.safetensors";
  write_index(lost);
  EXPECT_SAYS(refusal(), "index.json: names model-9.safetensors, which is not in the folder. HINT: fetch that file");
  for (const char* text : {"", "{", "[]", R"({"weight_map": {}})", R"({"weight_map": 3})"}) {
    folder_.write("hf/model.safetensors.index.json", text);
    EXPECT_SAYS(refusal(), "has no weight_map of tensors and files");
  }
}

TEST_F(HfFolder, ATensorThatTwoShardsHaveIsRefused) {
  fill(small_gpt2());
  make_shards(2);
  const std::string one = test::file_text(folder_ / "hf/model-0.safetensors");
  folder_.write("hf/model-2.safetensors", one);
  Json map = index();
  map["transformer.wte.weight"] = "model-2.safetensors";
  write_index(map);
  EXPECT_NE(refusal(), "accepted");
}

TEST_F(HfFolder, ANumberThatF16HasNotIsNamed) {
  const compiler::ModelShape model = small_gpt2();
  std::vector<float> weights(compiler::parameter_count(compiler::model_tensors(model)), 1);
  weights[70] = 65520;
  const auto reader = checkpoint_of(folder_, model, weights);
  const auto write = [&](checkpoint::Dtype dtype) {
    return refusal_of([&] { write_hf_weights(folder_ / "x", *reader, compiler::model_tensors(model), dtype); });
  };
  EXPECT_SAYS(write(checkpoint::Dtype::F16), "wpe.weight: 65520 is beyond F16");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "x"));
  EXPECT_EQ(write(checkpoint::Dtype::BF16), "accepted");
}

/// Comparing each of these names with all others would take half a minute.
TEST_F(HfFolder, AnIndexOfManyTensorsIsReadInTime) {
  constexpr int kMany = 60'000;
  fill(small_gpt2());
  std::string index = R"({"weight_map": {)";
  std::vector<checkpoint::TensorView> tensors;
  for (int n = 0; n < kMany; ++n) {
    const std::string name = "model.layers.more.tensor." + std::to_string(n);
    tensors.push_back({.name = name, .dtype = checkpoint::Dtype::F32, .shape = {0}, .data = {}});
    index += (n > 0 ? ", \"" : "\"") + name + R"(": "model-0.safetensors")";
  }
  folder_.write("hf/model-0.safetensors", checkpoint::safetensors_header({{"format", "pt"}}, tensors));
  folder_.write("hf/model.safetensors.index.json", index + "}}");
  std::filesystem::remove(file());
  EXPECT_SAYS(refusal(), "is not a tensor of the model");
}

}  // namespace
}  // namespace weft::formats
