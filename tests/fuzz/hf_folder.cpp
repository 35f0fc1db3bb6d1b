/// Hugging Face folders: config.json, model.safetensors, its index, a shard. Each of them in turn is replaced by the
/// input.
#include "host/formats/hf_folder.hpp"

#include "host/formats/hf_config.hpp"
#include "host/formats/open_weights.hpp"
#include "sw/compiler/model/tensors.hpp"
#include "tests/fuzz/folder.hpp"

namespace weft::fuzz {
namespace {

const ModelShape& tiny() {
  static const ModelShape model{.vocab = 3, .hidden = 2, .layers = 1, .heads = 1, .filter = 8, .seq = 2};
  return model;
}

/// Every `step`-th tensor from `first` on, as a safetensors file.
std::string safetensors(std::size_t first, std::size_t step) {
  const std::vector<TensorInfo> tensors = model_tensors(tiny());
  static const std::vector<float> values(parameter_count(tensors), 0.5F);
  const auto* data = reinterpret_cast<const std::uint8_t*>(values.data());
  std::vector<TensorView> views;
  for (std::size_t n = first; n < tensors.size(); n += step) {
    const TensorInfo& t = tensors[n];
    views.push_back({"transformer." + t.name, Dtype::F32, {t.dims.begin(), t.dims.end()}, {data, 4 * t.size}});
  }
  std::string text = safetensors_header({{"format", "pt"}}, views);
  for (const TensorView& view : views) text.append(view.data.begin(), view.data.end());
  return text;
}

std::string index() {
  std::string map;
  const std::vector<TensorInfo> tensors = model_tensors(tiny());
  for (std::size_t n = 0; n < tensors.size(); ++n)
    map += (n > 0 ? ", \"transformer." : "\"transformer.") + tensors[n].name + "\": \"" + std::to_string(n % 2) +
           ".safetensors\"";
  return "{\"metadata\": {\"total_size\": 1}, \"weight_map\": {" + map + "}}";
}

void load(const Folder& folder) {
  loads_or_refuses(folder.path(), [&] {
    const std::vector<TensorInfo> tensors = model_tensors(tiny());
    const auto weights = open_weights(folder.path(), tiny(), tensors);
    promise(weights->size() == parameter_count(tensors), "weights are the model's");
    std::vector<float> all(weights->size());
    weights->read(CheckpointReader::kWeights, 0, all);
  });
}

}  // namespace

std::vector<std::string> seeds() {
  ModelShape gptj = tiny();
  gptj.network = "gptj", gptj.rotary_dim = 2, gptj.tied = false;
  return {hf_config(tiny(), Dtype::F32, 1), hf_config(gptj, Dtype::BF16, 1), safetensors(0, 1), safetensors(0, 2),
          index()};
}

void read(std::span<const std::uint8_t> bytes) {
  const std::string_view damaged = text_of(bytes);
  static const Folder config("weft_config"), whole("weft_whole"), named("weft_index"), shard("weft_shard");
  static const bool ready = [] {
    config.write("model.safetensors", safetensors(0, 1));
    for (const Folder* folder : {&whole, &named, &shard})
      folder->write("config.json", hf_config(tiny(), Dtype::F32, 1));
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

}  // namespace weft::fuzz
