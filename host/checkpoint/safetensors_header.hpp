/// The header of a safetensors file, read as it comes.
#pragma once

#include <cstdint>
#include <string_view>

#include "host/checkpoint/safetensors.hpp"

namespace weft {

/// Reads a header, JSON, of the file `file`, whose tensors have `data` bytes, where tensors begin at 0. Work and memory
/// grow with the header's length and no faster, whatever it is. Throws DamagedFile. Whether the tensors fill the data
/// is not looked at.
Safetensors read_safetensors_header(std::string_view header, std::uint64_t data, std::string_view file);

/// What is thrown.
[[noreturn]] void refuse_safetensors(std::string_view file, std::string_view part, std::string_view problem);

}  // namespace weft
