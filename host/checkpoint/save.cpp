#include "host/checkpoint/checkpoint.hpp"
#include "host/checkpoint/writer.hpp"

namespace weft::checkpoint {

std::uint64_t checkpoint_bytes(std::span<const compiler::TensorInfo> tensors) {
  constexpr std::uint64_t kMetadata = 8192, kEntry = 128;  // per tensor, in addition to its name
  std::uint64_t bytes = kMetadata;
  for (const compiler::TensorInfo& tensor : tensors) {
    bytes += 4 * (kEntry + tensor.name.size());                           // weights, two moments, perhaps a mask
    bytes += (3 * sizeof(float) + (tensor.decay ? 1 : 0)) * tensor.size;  // only matrices have masks
  }
  return bytes;
}

void save_checkpoint(const std::string& file, std::span<const compiler::TensorInfo> tensors,
                     const CheckpointView& state) {
  const int moments = (state.first_moments.empty() ? 0 : 1) + (state.second_moments.empty() ? 0 : 1);
  CheckpointWriter writer(file, tensors, state.step, state.mask, state.about, moments);
  writer.write(CheckpointWriter::kWeights, 0, state.weights);
  writer.write(CheckpointWriter::kFirstMoments, 0, state.first_moments);
  writer.write(CheckpointWriter::kSecondMoments, 0, state.second_moments);
  writer.commit();
}

}  // namespace weft::checkpoint
