/// Protects files of the user: output replaces only earlier output of the same kind.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

#include "sw/base/refusal.hpp"

namespace weft::system {

/// True if `file` is a nonempty regular file.
inline bool has_bytes(const std::string& file) {
  std::error_code error;
  return std::filesystem::is_regular_file(file, error) && std::filesystem::file_size(file, error) > 0;
}

/// Error for a file that would be overwritten.
inline Refusal overwrite_refused(const std::string& file) {
  return {file, "exists with other content, which would be lost", "name another, or move it away"};
}

/// Throws Refusal if `file` is a folder, or is new and its folder is not writable. Reports this before the output is
/// computed.
inline void check_writable_folder(const std::string& file) {
  const std::filesystem::path path(file), folder = path.parent_path();
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) throw Refusal(file, "is a folder", "name a file in it");
  if (std::filesystem::exists(path, error) || ::access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) == 0) return;
  throw Refusal(file, "cannot be written: " + std::generic_category().message(errno),
                "make its folder, or name a place where you may write");
}

/// Throws Refusal if `file` exists, is not empty and lacks `bytes` at `offset`, which all files of its kind have: it is
/// something else, such as a parameter file, and must not be overwritten. Also throws if the file cannot be created.
inline void guard_overwrite(const std::string& file, std::string_view bytes, std::size_t offset = 0) {
  check_writable_folder(file);
  if (!has_bytes(file)) return;
  std::string there(bytes.size(), '\0');
  std::ifstream in(file, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(offset));
  if (in.read(there.data(), static_cast<std::streamsize>(there.size())) && there == bytes) return;
  throw overwrite_refused(file);
}

}  // namespace weft::system
