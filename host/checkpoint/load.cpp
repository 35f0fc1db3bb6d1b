#include "host/checkpoint/checkpoint.hpp"
#include "host/checkpoint/reader.hpp"

namespace weft::checkpoint {
namespace {

Checkpoint all_of(const CheckpointReader& reader) {
  Checkpoint result{.step = reader.step,
                    .weights = {},
                    .first_moments = {},
                    .second_moments = {},
                    .mask = reader.mask,
                    .about = reader.about,
                    .weights_only = reader.weights_only};
  const auto take = [&](CheckpointReader::Vector vector, std::vector<float>& values) {
    values.resize(reader.size());
    reader.read(vector, 0, values);
  };
  take(CheckpointReader::kWeights, result.weights);
  take(CheckpointReader::kFirstMoments, result.first_moments);
  take(CheckpointReader::kSecondMoments, result.second_moments);
  reader.check();
  return result;
}

}  // namespace

Checkpoint parse_checkpoint(std::span<const std::uint8_t> bytes, const std::string& file,
                            std::span<const compiler::TensorInfo> tensors) {
  return all_of(CheckpointReader(std::make_unique<MemorySource>(bytes), file, tensors));
}

Checkpoint load_checkpoint(const std::string& file, std::span<const compiler::TensorInfo> tensors) {
  return all_of(*open_checkpoint(file, tensors));
}

}  // namespace weft::checkpoint
