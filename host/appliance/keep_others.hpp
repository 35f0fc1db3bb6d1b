/// What is written where a user says so replaces nothing but an earlier one of its kind.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

#include "sw/base/refusal.hpp"

namespace weft {

/// Whether `file` is a file in which something is.
inline bool has_bytes(const std::string& file) {
  std::error_code error;
  return std::filesystem::is_regular_file(file, error) && std::filesystem::file_size(file, error) > 0;
}

/// What is said of a file that would be lost.
inline Refusal would_be_lost(const std::string& file) {
  return {file, "is there, and is something else: it would be lost", "name another, or move it away"};
}

/// Throws Refusal if `file` is there and does not have `bytes` at `offset`, as all of its kind have: it is something
/// else, a parameter file perhaps, and would be lost. One that is empty is nobody's.
inline void keep_others(const std::string& file, std::string_view bytes, std::size_t offset = 0) {
  if (!has_bytes(file)) return;
  std::string there(bytes.size(), '\0');
  std::ifstream in(file, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(offset));
  if (in.read(there.data(), static_cast<std::streamsize>(there.size())) && there == bytes) return;
  throw would_be_lost(file);
}

}  // namespace weft
