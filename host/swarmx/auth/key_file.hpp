/// The file with the key of a run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace weft::swarmx {

inline constexpr std::size_t kLeastKey = 32;    ///< bytes, without the white space at the end
inline constexpr std::size_t kMostKey = 65536;  ///< bytes of a file

/// Returns the contents of `file` without white space at the end, which editors add. Throws Refusal if the file cannot
/// be read, is not a regular file, belongs to another user, is accessible to others, or has fewer than kLeastKey or
/// more than kMostKey bytes.
std::vector<std::uint8_t> read_key_file(const std::filesystem::path& file);

}  // namespace weft::swarmx
