/// The bytes of a file, unpacked if it is packed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace weft::text {

class ByteInput {
 public:
  ByteInput() = default;
  ByteInput(const ByteInput&) = delete;
  ByteInput& operator=(const ByteInput&) = delete;
  virtual ~ByteInput() = default;

  /// Appends some of what comes next; false if that is the end. Throws Refusal that names the file: it cannot be read,
  /// is damaged or cut short, with the offset in what is unpacked, or is no text (sw/base/known_format.hpp).
  virtual bool read(std::string& out) = 0;
  /// Bytes of the file that are read so far, packed.
  virtual std::uint64_t taken() const = 0;
};

/// By a file's first bytes.
bool is_gzip(std::string_view start);
/// A frame of Zstandard, or one that it skips, which pzstd writes first.
bool is_zstandard(std::string_view start);

/// By its first bytes a gzip (zlib reads it; several members are one text), a Zstandard (several frames), or plain.
std::unique_ptr<ByteInput> open_input(const std::string& path);

}  // namespace weft::text
