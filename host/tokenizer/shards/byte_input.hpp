/// Reads the bytes of a file, decompressed if necessary.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace weft::tokenizer {

class ByteInput {
 public:
  ByteInput() = default;
  ByteInput(const ByteInput&) = delete;
  ByteInput& operator=(const ByteInput&) = delete;
  virtual ~ByteInput() = default;

  /// Appends some of the following bytes; returns false at the end. Throws Refusal that names the file if it cannot be
  /// read, is damaged or truncated (with the offset in the decompressed data), or is not text
  /// (sw/base/known_format.hpp).
  virtual bool read(std::string& out) = 0;
  /// Number of (compressed) bytes of the file that were read so far.
  virtual std::uint64_t taken() const = 0;
};

/// Detects gzip from the first bytes of a file.
bool is_gzip(std::string_view start);
/// Detects a frame of Zstandard, or a skippable frame, with which pzstd files begin.
bool is_zstandard(std::string_view start);

/// Opens a gzip (by zlib; several members form one text), a Zstandard (several frames) or an uncompressed file,
/// depending on its first bytes.
std::unique_ptr<ByteInput> open_input(const std::string& path);

}  // namespace weft::tokenizer
