/// The safetensors format: u64 length of the header (little endian), the header (JSON), the tensors' data.
///
/// The header maps a tensor's name to its dtype, shape and data_offsets, and "__metadata__" to texts. Tensors fill the
/// data without gap or overlap.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host/checkpoint/byte_source.hpp"
#include "host/checkpoint/error.hpp"

namespace weft::checkpoint {

enum class Dtype : std::uint8_t { Bool, U8, I8, F8E5M2, F8E4M3, I16, U16, F16, BF16, I32, U32, F32, F64, I64, U64 };

std::string_view dtype_name(Dtype dtype);
/// Size of one element.
std::size_t dtype_bytes(Dtype dtype);

struct TensorView {
  std::string name;
  Dtype dtype = Dtype::F32;
  std::vector<std::uint64_t> shape;
  std::span<const std::uint8_t> data;  ///< row major, little endian, not aligned; empty: in a source, not in memory
  std::uint64_t begin = 0, bytes = 0;  ///< position and size in the file
};

using Metadata = std::map<std::string, std::string>;

struct Safetensors {
  Metadata metadata;
  std::vector<TensorView> tensors;  ///< in the order of the file
};

/// Maximum size of a header in bytes, as in the format's reference implementation.
inline constexpr std::uint64_t kMaxHeader = 100'000'000;

/// Parses the bytes of a whole file, which must outlive the result; `file` is its name for errors. For arbitrary bytes,
/// the result has tensors inside them, or DamagedFile is thrown.
Safetensors parse_safetensors(std::span<const std::uint8_t> bytes, std::string_view file);
/// As above for a source: only its header is read, and tensors have no data.
Safetensors parse_safetensors(const ByteSource& source, std::string_view file);

struct TensorShape {
  std::string name;
  Dtype dtype = Dtype::F32;
  std::vector<std::uint64_t> shape;
  std::uint64_t bytes = 0;
};

/// Length and header of a file of these tensors, whose data must follow in this order. Its size is a multiple of 8.
std::string safetensors_header(const Metadata& metadata, const std::vector<TensorShape>& tensors);
std::string safetensors_header(const Metadata& metadata, const std::vector<TensorView>& tensors);

}  // namespace weft::checkpoint
