#include <algorithm>
#include <bit>
#include <cstring>

#include "host/checkpoint/safetensors_header.hpp"

namespace weft {
namespace {

std::string_view header_of(std::span<const std::uint8_t> bytes, std::string_view file) {
  static_assert(std::endian::native == std::endian::little, "the length is read as it lies");
  const auto fail = [&](std::string_view part, std::string_view problem) { refuse_safetensors(file, part, problem); };
  if (bytes.size() < 8) fail("", fmt::format("{} bytes are less than the header's length takes", bytes.size()));
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), 8);
  if (length > kMaxHeader) fail("header", fmt::format("{} bytes are more than the {} allowed", length, kMaxHeader));
  if (length > bytes.size() - 8) {
    fail("header", fmt::format("{} bytes do not fit into the file's {}", length, bytes.size()));
  }
  return {reinterpret_cast<const char*>(bytes.data()) + 8, static_cast<std::size_t>(length)};
}

}  // namespace

Safetensors parse_safetensors(std::span<const std::uint8_t> bytes, std::string_view file) {
  const std::string_view header = header_of(bytes, file);
  const std::span<const std::uint8_t> data = bytes.subspan(8 + header.size());
  Safetensors result = read_safetensors_header(header, data, file);
  std::ranges::sort(result.tensors, {}, [](const TensorView& t) { return std::pair(t.data.data(), t.data.size()); });
  std::uint64_t end = 0;
  for (const TensorView& tensor : result.tensors) {
    const auto begin = static_cast<std::uint64_t>(tensor.data.data() - data.data());
    if (begin != end) {
      refuse_safetensors(file, tensor.name, fmt::format("begins at byte {} where the last one ends at {}", begin, end));
    }
    end += tensor.data.size();
  }
  if (end != data.size()) {
    refuse_safetensors(file, "", fmt::format("{} bytes follow the last tensor", data.size() - end));
  }
  return result;
}

}  // namespace weft
