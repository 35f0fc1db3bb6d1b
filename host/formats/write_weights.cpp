#include "host/formats/write_weights.hpp"

#include <algorithm>

#include "host/checkpoint/convert.hpp"
#include "host/checkpoint/file.hpp"
#include "host/formats/hf_bert.hpp"
#include "host/formats/llmc.hpp"

namespace weft::formats {
namespace {

constexpr std::uint64_t kSome = std::uint64_t{1} << 16;  // elements converted at a time

/// The name in Hugging Face's class; `llama`: in LlamaForCausalLM.
std::string hf_name(const std::string& name, bool llama) {
  if (std::string bert = bert_name(name); !bert.empty()) return bert;
  if (name.starts_with("lm_head.")) return name;
  if (!llama) return "transformer." + name;
  return name.starts_with("h.") ? "model.layers." + name.substr(2) : "model." + name;
}

/// Writes numbers of a tensor, converted to `dtype`, to a file.
class Output {
 public:
  Output(checkpoint::AtomicFile& file, const std::string& path, checkpoint::Dtype dtype)
      : file_(file), path_(path), dtype_(dtype) {}

  /// Throws Refusal for a number that the type cannot represent.
  void write(std::span<const float> values, const std::string& tensor) {
    bytes_.resize(values.size() * checkpoint::dtype_bytes(dtype_));
    if (const auto bad = checkpoint::from_float(dtype_, values, bytes_)) {
      throw checkpoint::file_error(path_, tensor,
                                   fmt::format("{} is beyond {}", values[*bad], checkpoint::dtype_name(dtype_)),
                                   "use --dtype bf16 or fp32");
    }
    file_.write(bytes_);
  }

 private:
  checkpoint::AtomicFile& file_;
  const std::string& path_;
  checkpoint::Dtype dtype_;
  std::vector<std::uint8_t> bytes_;
};

}  // namespace

void write_hf_weights(const std::string& path, const checkpoint::CheckpointReader& weights,
                      std::span<const compiler::TensorInfo> tensors, checkpoint::Dtype dtype, const Written& written) {
  const bool llama = std::ranges::count(tensors, "embed_tokens.weight", &compiler::TensorInfo::name) > 0;
  std::vector<checkpoint::TensorShape> shapes;
  for (const compiler::TensorInfo& t : tensors)
    shapes.push_back(
        {hf_name(t.name, llama), dtype, {t.dims.begin(), t.dims.end()}, t.size * checkpoint::dtype_bytes(dtype)});
  checkpoint::AtomicFile file(path);
  file.write(checkpoint::safetensors_header({{"format", "pt"}}, shapes));  // required by PyTorch's loaders
  Output output(file, path, dtype);
  std::vector<float> some;
  for (const compiler::TensorInfo& t : tensors) {
    for (std::uint64_t at = 0; at < t.size; at += some.size()) {
      some.resize(std::min(kSome, t.size - at));
      weights.read(checkpoint::CheckpointReader::kWeights, t.offset + at, some);
      output.write(some, t.name);
      if (written) written(t.offset + at + some.size());
    }
  }
  weights.check();
  file.commit();
}

void write_llmc(const std::string& path, const checkpoint::CheckpointReader& weights, const compiler::ModelShape& model,
                std::span<const compiler::TensorInfo> tensors, checkpoint::Dtype dtype, const Written& written) {
  const LlmcLayout layout = llmc_layout(model, tensors, llmc_padded(model.vocab));
  const std::vector<std::int32_t> header = llmc_header(model, dtype, layout.padded_vocab);
  checkpoint::AtomicFile file(path);
  file.write({reinterpret_cast<const std::uint8_t*>(header.data()), kLlmcHeader});
  Output output(file, path, dtype);
  std::uint64_t behind = 0, done = 0;  // behind: end in the file, in elements; done: elements of tensors
  std::vector<float> mine, theirs;
  for (const LlmcPlace& place : layout.places) {
    const compiler::TensorInfo& t = tensors[place.tensor];
    theirs.assign(place.element - behind, 0.0F);  // padding
    output.write(theirs, t.name);
    mine.resize(t.size);
    weights.read(checkpoint::CheckpointReader::kWeights, t.offset, mine);
    if (place.turned) {
      const auto ins = static_cast<std::size_t>(t.dims[0]), outs = static_cast<std::size_t>(t.dims[1]);
      theirs.resize(t.size);
      for (std::size_t in = 0; in < ins; ++in)
        for (std::size_t out = 0; out < outs; ++out) theirs[out * ins + in] = mine[in * outs + out];
    }
    output.write(place.turned ? theirs : mine, t.name);
    behind = place.element + t.size;
    if (written) written(done += t.size);
  }
  weights.check();
  file.commit();
}

}  // namespace weft::formats
