/// What training needs to go on: weights, the optimizer's state and the step, in a safetensors file.
///
/// Weights have the names and shapes of Hugging Face's GPT-2, fp32. The optimizer's moments of tensor t are weft.m.t
/// and weft.v.t, as many as it keeps; a mask is weft.mask.t (BOOL). "__metadata__" has weft.format, weft.step,
/// weft.crc32c and what the run says of itself. The checksum covers the whole file, its own digits read as zeros: no
/// flipped bit goes unseen.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "host/checkpoint/safetensors.hpp"
#include "sw/compiler/plan.hpp"

namespace weft {

/// After `step` steps. All vectors have an element for each parameter, as TensorInfo::offset counts: zeros where the
/// file has no such moments.
struct Checkpoint {
  std::uint64_t step = 0;
  std::vector<float> weights, first_moments, second_moments;
  Mask mask;
  Metadata about;             ///< of the run that wrote it; without "weft.", e.g. {"data_position", "80"}
  bool weights_only = false;  ///< another program's: step and moments are zero
};

/// The same, where it lies. Moments that the optimizer does not keep have no elements.
struct CheckpointView {
  std::uint64_t step = 0;
  std::span<const float> weights, first_moments, second_moments;
  const Mask* mask = nullptr;
  Metadata about;
};

/// Returns when the file is on disk. Whatever stops it before leaves no file, or the old one. Throws Refusal.
void save_checkpoint(const std::string& file, std::span<const TensorInfo> tensors, const CheckpointView& state);

/// Reads a checkpoint of ours, or another program's weights: F32, F16 or BF16, names with or without "transformer.",
/// buffers of attention left out; an lm_head.weight equal to wte.weight is none of its own. Throws DamagedFile if
/// the file is not whole, DivergedCheckpoint if no run can go on with its numbers, Refusal if it cannot be read or is
/// not of a model of these tensors.
Checkpoint load_checkpoint(const std::string& file, std::span<const TensorInfo> tensors);
/// The same from a file's bytes.
Checkpoint parse_checkpoint(std::span<const std::uint8_t> bytes, const std::string& file,
                            std::span<const TensorInfo> tensors);

/// Bytes of a checkpoint, or a little more: with its header, and with masks if it has them.
std::uint64_t checkpoint_bytes(std::span<const TensorInfo> tensors);

}  // namespace weft
