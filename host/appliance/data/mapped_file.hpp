/// A file's bytes, without a copy.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace weft {

/// A regular file, mapped to be read. The bytes live as long as the owner. Who cuts the file meanwhile ends the program
/// (SIGBUS), as with every mapping.
struct MappedFile {
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> owner;
};

/// Throws Refusal if the file is missing, no regular file, or must not be read. An empty file has no bytes.
MappedFile map_file(const std::string& path);

}  // namespace weft
