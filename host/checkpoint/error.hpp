/// Error messages about the files of a model folder.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "sw/base/refusal.hpp"

namespace weft::checkpoint {

/// Creates e.g. "out/checkpoint_5.safetensors: wte.weight: shape is [96, 32], not [80, 32]. HINT: set model.vocab_size
/// 96." `part` may be empty.
template <class Error = Refusal>
Error file_error(std::string_view file, std::string_view part, std::string_view problem, std::string_view hint) {
  return Error(fmt::format("{}{}{}", file, part.empty() ? "" : ": ", printable(part)), problem, hint);
}

}  // namespace weft::checkpoint
