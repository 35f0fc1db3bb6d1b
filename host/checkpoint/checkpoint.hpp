/// Checkpoints: weights, the optimizer's state and the step, as needed to resume training, in a safetensors file.
///
/// Weights have the names and shapes of Hugging Face's GPT-2, fp32. The optimizer's moments of tensor t are weft.m.t
/// and weft.v.t, as far as they exist; a mask is weft.mask.t (BOOL). "__metadata__" has weft.format, weft.step,
/// weft.crc32c and the run's own entries. The checksum covers the whole file, with its own digits read as zeros: every
/// flipped bit is detected.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "host/checkpoint/safetensors.hpp"
#include "sw/compiler/plan/plan.hpp"

namespace weft::checkpoint {

/// The state after `step` steps. All vectors have an element for each parameter, at TensorInfo::offset; moments that
/// the file lacks are zero.
struct Checkpoint {
  std::uint64_t step = 0;
  std::vector<float> weights, first_moments, second_moments;
  compiler::Mask mask;
  Metadata about;             ///< entries of the run that wrote it; without "weft.", e.g. {"data_position", "80"}
  bool weights_only = false;  ///< written by another program: step and moments are zero
};

/// As Checkpoint, but without owning the data. Moments that the optimizer does not keep are empty.
struct CheckpointView {
  std::uint64_t step = 0;
  std::span<const float> weights, first_moments, second_moments;
  const compiler::Mask* mask = nullptr;
  Metadata about;
};

/// Returns when the file is on disk. A failure before that leaves no file, or the old one. Throws Refusal.
void save_checkpoint(const std::string& file, std::span<const compiler::TensorInfo> tensors,
                     const CheckpointView& state);

/// Reads a checkpoint of Weft, or another program's weights: F32, F16 or BF16, names with or without "transformer.";
/// buffers of attention are ignored, and so is an lm_head.weight equal to wte.weight. Throws DamagedFile if the file is
/// damaged, DivergedCheckpoint if its numbers have diverged, Refusal if it cannot be read or does not fit a model of
/// these tensors.
Checkpoint load_checkpoint(const std::string& file, std::span<const compiler::TensorInfo> tensors);
/// As above, from the bytes of a file.
Checkpoint parse_checkpoint(std::span<const std::uint8_t> bytes, const std::string& file,
                            std::span<const compiler::TensorInfo> tensors);

/// Upper bound of the size of a checkpoint, close to the actual size, with header and masks.
std::uint64_t checkpoint_bytes(std::span<const compiler::TensorInfo> tensors);

}  // namespace weft::checkpoint
