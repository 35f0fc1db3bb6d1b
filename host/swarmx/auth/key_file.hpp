/// The file with the key of a run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace weft {

inline constexpr std::size_t kLeastKey = 32;    ///< bytes, without the white space at the end
inline constexpr std::size_t kMostKey = 65536;  ///< bytes of a file

/// What `file` has, without the white space at its end, which editors add. Throws Refusal if it cannot be read, is not
/// a regular file, not ours, open to anybody else, or shorter than kLeastKey.
std::vector<std::uint8_t> read_key_file(const std::filesystem::path& file);

}  // namespace weft
