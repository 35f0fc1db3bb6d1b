#include <algorithm>
#include <bit>
#include <new>
#include <optional>

#include "host/checkpoint/file.hpp"
#include "host/checkpoint/safetensors_header.hpp"
#include "sw/base/known_format.hpp"
#include "sw/base/memory_room.hpp"

namespace weft::checkpoint {
namespace {

std::string header_of(const ByteSource& source, std::string_view file) {
  static_assert(std::endian::native == std::endian::little, "the length is little endian");
  std::string start(std::min<std::uint64_t>(source.size(), kFormatBytes), '\0');
  source.read(0, {reinterpret_cast<std::uint8_t*>(start.data()), start.size()});
  if (const auto other = other_format(start, Expected::Weights, std::string(file)))
    throw file_error<DamagedFile>(file, "", other->problem, other->hint);
  const auto fail = [&](std::string_view part, std::string_view problem) { refuse_safetensors(file, part, problem); };
  if (source.size() < 8) fail("", fmt::format("{} bytes are too few for the length of the header", source.size()));
  std::uint64_t length = 0;
  source.read(0, {reinterpret_cast<std::uint8_t*>(&length), sizeof length});
  if (length > kMaxHeader) fail("header", fmt::format("{} bytes are more than the {} allowed", length, kMaxHeader));
  if (length > source.size() - 8) {
    fail("header", fmt::format("{} bytes do not fit into the file's {}", length, source.size()));
  }
  std::string header(length, '\0');
  source.read(8, {reinterpret_cast<std::uint8_t*>(header.data()), header.size()});
  return header;
}

/// Parses the file and sorts the tensors by offset; they must fill the data without gaps.
Safetensors parse(const ByteSource& source, std::string_view file) {
  const std::string header = header_of(source, file);
  const std::uint64_t data = 8 + header.size(), size = source.size() - data;
  Safetensors result = read_safetensors_header(header, size, file);
  std::ranges::sort(result.tensors, {}, [](const TensorView& t) { return std::pair(t.begin, t.bytes); });
  std::uint64_t end = 0;
  for (TensorView& tensor : result.tensors) {
    if (tensor.begin != end) {
      refuse_safetensors(file, tensor.name,
                         fmt::format("begins at byte {}, but the previous tensor ends at byte {}", tensor.begin, end));
    }
    end += tensor.bytes;
    tensor.begin += data;
  }
  if (end != size) refuse_safetensors(file, "", fmt::format("{} bytes follow the last tensor", size - end));
  return result;
}

}  // namespace

Safetensors parse_safetensors(const ByteSource& source, std::string_view file) {
  try {
    constexpr std::uint64_t kSmall = 1 << 20;  // bytes; below, querying the system would take longer
    std::optional<MemoryBound> bound;
    if (source.size() > kSmall) bound.emplace();
    return parse(source, file);
  } catch (const std::bad_alloc&) {
    throw does_not_fit(std::string(file), source.size(), ", and its list of tensors takes more");
  }
}

Safetensors parse_safetensors(std::span<const std::uint8_t> bytes, std::string_view file) {
  Safetensors result = parse_safetensors(MemorySource(bytes), file);
  for (TensorView& tensor : result.tensors) tensor.data = bytes.subspan(tensor.begin, tensor.bytes);
  return result;
}

}  // namespace weft::checkpoint
