/// Streaming parser of the header of a safetensors file.
#pragma once

#include <cstdint>
#include <string_view>

#include "host/checkpoint/safetensors.hpp"

namespace weft::checkpoint {

/// Parses the JSON header of the file `file`, whose tensors have `data` bytes; offsets count from the first tensor's
/// byte. Time and memory are linear in the header's length, for any contents. Throws DamagedFile. Does not check that
/// the tensors fill the data.
Safetensors read_safetensors_header(std::string_view header, std::uint64_t data, std::string_view file);

/// Throws the DamagedFile of these functions.
[[noreturn]] void refuse_safetensors(std::string_view file, std::string_view part, std::string_view problem);

}  // namespace weft::checkpoint
