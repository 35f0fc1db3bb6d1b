/// Checkpoints in memory and in files.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "weft/export.hpp"

namespace weft {
inline namespace v0 {

/// A named array, row major: fp32, or bool for a mask.
struct Array {
  std::string name;
  std::vector<std::uint64_t> shape;
  std::vector<float> values = {};       ///< one for each element; empty for a mask
  std::vector<std::uint8_t> mask = {};  ///< 0 or 1 for each element; empty for other arrays
  bool is_mask = false;
};

/// The state of a run after `step` steps. Weights have the names and shapes of Hugging Face's GPT-2; the optimizer's
/// moments of weight NAME are weft.m.NAME and weft.v.NAME, and its mask is weft.mask.NAME.
struct Checkpoint {
  std::uint64_t step = 0;
  std::map<std::string, std::string> metadata = {};  ///< entries of the run that wrote it; empty for other programs
  std::vector<Array> arrays = {};
};

/// Reads a safetensors file of Weft or of another program, whose F16 and BF16 become fp32. A checksum is checked.
/// Throws Error.
WEFT_API Checkpoint load_checkpoint(const std::string& file);

/// Writes a file, from which a run can start (`checkpoint_path`): with the run's state if the checkpoint has a step,
/// metadata, moments or masks, and otherwise with weights alone. The file appears when it is complete. Throws Error.
WEFT_API void save_checkpoint(const std::string& file, const Checkpoint& checkpoint);

}  // namespace v0
}  // namespace weft
