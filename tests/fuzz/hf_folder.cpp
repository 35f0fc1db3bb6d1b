/// Hugging Face folders: config.json, model.safetensors, its index, a shard. Each of them in turn is replaced by the
/// input.
#include "host/formats/hf_folder.hpp"

#include "host/formats/hf_config.hpp"
#include "host/formats/open_weights.hpp"
#include "sw/compiler/model/tensors.hpp"
#include "tests/fuzz/folder.hpp"

namespace weft::fuzz::hf_folder_target {
namespace {

const compiler::ModelShape& tiny() {
  static const compiler::ModelShape model{.vocab = 3, .hidden = 2, .layers = 1, .heads = 1, .filter = 8, .seq = 2};
  return model;
}

/// Every `step`-th tensor from `first` on, as a safetensors file.
std::string safetensors(std::size_t first, std::size_t step) {
  const std::vector<compiler::TensorInfo> tensors = compiler::model_tensors(tiny());
  static const std::vector<float> values(compiler::parameter_count(tensors), 0.5F);
  const auto* data = reinterpret_cast<const std::uint8_t*>(values.data());
  std::vector<checkpoint::TensorView> views;
  for (std::size_t n = first; n < tensors.size(); n += step) {
    const compiler::TensorInfo& t = tensors[n];
    views.push_back(
        {"transformer." + t.name, checkpoint::Dtype::F32, {t.dims.begin(), t.dims.end()}, {data, 4 * t.size}});
  }
  std::string text = checkpoint::safetensors_header({{"format", "pt"}}, views);
  for (const checkpoint::TensorView& view : views) text.append(view.data.begin(), view.data.end());
  return text;
}

std::string index() {
  std::string map;
  const std::vector<compiler::TensorInfo> tensors = compiler::model_tensors(tiny());
  for (std::size_t n = 0; n < tensors.size(); ++n)
    map += (n > 0 ? ", \"transformer." : "\"transformer.") + tensors[n].name + "\": \"" + std::to_string(n % 2) +
           ".safetensors\"";
  return "{\"metadata\": {\"total_size\": 1}, \"weight_map\": {" + map + "}}";
}

void load(const Folder& folder) {
  loads_or_refuses(folder.path(), [&] {
    const std::vector<compiler::TensorInfo> tensors = compiler::model_tensors(tiny());
    const auto weights = formats::open_weights(folder.path(), tiny(), tensors);
    promise(weights->size() == compiler::parameter_count(tensors), "weights are the model's");
    std::vector<float> all(weights->size());
    weights->read(checkpoint::CheckpointReader::kWeights, 0, all);
  });
}

}  // namespace

std::vector<std::string> seeds() {
  compiler::ModelShape gptj = tiny();
  gptj.network = "gptj", gptj.rotary_dim = 2, gptj.tied = false;
  compiler::ModelShape llama = tiny();
  llama.network = "llama", llama.rotary_dim = llama.head_size(), llama.kv_heads = 1;
  llama.rotary.layout = "halves", llama.rotary.scaling = "llama3";
  return {formats::hf_config(tiny(), checkpoint::Dtype::F32, 1),
          formats::hf_config(gptj, checkpoint::Dtype::BF16, 1),
          formats::hf_config(llama, checkpoint::Dtype::F32, 1),
          safetensors(0, 1),
          safetensors(0, 2),
          index()};
}

void read(std::span<const std::uint8_t> bytes) {
  const std::string_view damaged = text_of(bytes);
  static const Folder config("weft_config"), whole("weft_whole"), named("weft_index"), shard("weft_shard");
  static const bool ready = [] {
    config.write("model.safetensors", safetensors(0, 1));
    for (const Folder* folder : {&whole, &named, &shard})
      folder->write("config.json", formats::hf_config(tiny(), checkpoint::Dtype::F32, 1));
    for (const Folder* folder : {&named, &shard}) folder->write("1.safetensors", safetensors(1, 2));
    named.write("0.safetensors", safetensors(0, 2));
    shard.write("model.safetensors.index.json", index());
    return true;
  }();
  promise(ready, "folders");
  config.write("config.json", damaged), load(config);
  whole.write("model.safetensors", damaged), load(whole);
  named.write("model.safetensors.index.json", damaged), load(named);
  shard.write("0.safetensors", damaged), load(shard);
}

const bool kAdded = add({"hf_folder", seeds, read});

}  // namespace weft::fuzz::hf_folder_target
