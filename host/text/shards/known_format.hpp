/// Files that are no text, by how they begin.
#pragma once

#include <string>
#include <string_view>

namespace weft::text {

/// So many bytes are enough to know.
inline constexpr std::size_t kFormatBytes = 262;

/// Throws Refusal that names `path` and the format if `start`, its first bytes (unpacked, if it is packed by gzip or
/// Zstandard), are those of an archive, of data in columns or of a document. Their bytes would become tokens like any
/// others, and nothing would say so.
void check_is_text(const std::string& path, std::string_view start);

}  // namespace weft::text
