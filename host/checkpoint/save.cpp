#include "host/checkpoint/checkpoint.hpp"
#include "host/checkpoint/checksum.hpp"
#include "host/checkpoint/file.hpp"
#include "sw/base/crc32c.hpp"

namespace weft {
namespace {

std::vector<std::uint64_t> shape(const TensorInfo& tensor) { return {tensor.dims.begin(), tensor.dims.end()}; }

std::span<const std::uint8_t> bytes_of(std::span<const float> values) {
  return {reinterpret_cast<const std::uint8_t*>(values.data()), values.size_bytes()};
}

}  // namespace

std::uint64_t checkpoint_bytes(std::span<const TensorInfo> tensors) {
  constexpr std::uint64_t kMetadata = 8192, kEntry = 128;  // of a tensor, beside its name
  std::uint64_t bytes = kMetadata;
  for (const TensorInfo& tensor : tensors) {
    bytes += 4 * (kEntry + tensor.name.size());                           // weights, two moments, perhaps a mask
    bytes += (3 * sizeof(float) + (tensor.decay ? 1 : 0)) * tensor.size;  // only matrices have masks
  }
  return bytes;
}

void save_checkpoint(const std::string& file, std::span<const TensorInfo> tensors, const CheckpointView& state) {
  std::vector<TensorView> views;
  const auto add = [&](const std::string& prefix, std::span<const float> values) {
    for (const TensorInfo& t : tensors) {
      views.push_back({prefix + t.name, Dtype::F32, shape(t), bytes_of(values.subspan(t.offset, t.size))});
    }
  };
  add("", state.weights);
  add("weft.m.", state.first_moments);
  add("weft.v.", state.second_moments);
  std::vector<std::vector<std::uint8_t>> masks;
  for (const TensorInfo& t : tensors) {
    if (state.mask == nullptr || !state.mask->contains(t.name)) continue;
    const std::vector<bool>& mask = state.mask->at(t.name);
    masks.emplace_back(mask.begin(), mask.end());
    views.push_back({"weft.mask." + t.name, Dtype::Bool, shape(t), masks.back()});
  }

  Metadata metadata = {{"format", "pt"},  // what PyTorch's loaders ask for
                       {"weft.format", "1"},
                       {"weft.step", std::to_string(state.step)},
                       {std::string(kChecksumKey), std::string(kNoChecksum)}};
  for (const auto& [key, value] : state.about) metadata["weft." + key] = value;

  std::string header = safetensors_header(metadata, views);
  std::uint32_t crc = crc32c({reinterpret_cast<const std::uint8_t*>(header.data()), header.size()});
  for (const TensorView& view : views) crc = crc32c(view.data, crc);
  header.replace(checksum_place(header).value(), kNoChecksum.size(), checksum_text(crc));

  AtomicFile out(file);
  out.write(header);
  for (const TensorView& view : views) out.write(view.data);
  out.commit();
}

}  // namespace weft
