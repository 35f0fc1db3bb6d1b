#include <algorithm>
#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "host/checkpoint/safetensors.hpp"

namespace weft {
namespace {

using Json = nlohmann::json;
using Damaged = DamagedFile;

constexpr const char* kTakeAnother = "take another copy; this is no whole safetensors file";

struct Reader {
  std::span<const std::uint8_t> bytes;
  std::string_view file;

  [[noreturn]] void fail(std::string_view part, std::string_view problem) const {
    throw file_error<Damaged>(file, part, problem, kTakeAnother);
  }

  std::string_view header() const {
    static_assert(std::endian::native == std::endian::little, "the length is read as it lies");
    if (bytes.size() < 8) fail("", fmt::format("{} bytes are less than the header's length takes", bytes.size()));
    std::uint64_t length = 0;
    std::memcpy(&length, bytes.data(), 8);
    if (length > kMaxHeader) fail("header", fmt::format("{} bytes are more than the {} allowed", length, kMaxHeader));
    if (length > bytes.size() - 8) {
      fail("header", fmt::format("{} bytes do not fit into the file's {}", length, bytes.size()));
    }
    return {reinterpret_cast<const char*>(bytes.data()) + 8, static_cast<std::size_t>(length)};
  }

  /// No name twice in an object, nothing deeper than a tensor's lists.
  Json parse(std::string_view text) const {
    if (!text.starts_with('{')) fail("header", "does not start with {");
    std::vector<std::set<std::string>> names(4);  // [depth]: of the object being read
    const auto check = [&](int depth, Json::parse_event_t event, Json& value) {
      const auto level = static_cast<std::size_t>(depth);
      if (event == Json::parse_event_t::object_start || event == Json::parse_event_t::array_start) {
        if (level > 2) fail("header", "is nested too deeply");
        names[level + 1].clear();
      }
      if (event == Json::parse_event_t::key && !names[level].insert(value.get<std::string>()).second) {
        fail(value.get<std::string>(), "is there twice");
      }
      return true;
    };
    try {
      return Json::parse(text, check);
    } catch (const Json::parse_error& e) {
      fail("header", fmt::format("is not JSON at byte {}", e.byte));
    } catch (const Json::out_of_range&) {
      fail("header", "has a number that is too large");
    }
  }

  std::vector<std::uint64_t> numbers(const std::string& name, const char* key, const Json& list) const {
    std::vector<std::uint64_t> result;
    if (!list.is_array()) fail(name, fmt::format("{} is not a list", key));
    for (const Json& entry : list) {
      if (!entry.is_number_unsigned()) fail(name, fmt::format("{} has something that is no size", key));
      result.push_back(entry.get<std::uint64_t>());
    }
    return result;
  }

  Dtype dtype(const std::string& name, const Json& value) const {
    if (!value.is_string()) fail(name, "dtype is not a text");
    for (int d = 0; d <= static_cast<int>(Dtype::U64); ++d) {
      if (value.get_ref<const std::string&>() == dtype_name(static_cast<Dtype>(d))) return static_cast<Dtype>(d);
    }
    fail(name, fmt::format("dtype {} is not known", printable(value.get<std::string>())));
  }

  std::uint64_t size(const TensorView& tensor) const {
    std::uint64_t size = dtype_bytes(tensor.dtype);
    for (const std::uint64_t dim : tensor.shape) {
      if (__builtin_mul_overflow(size, dim, &size)) fail(tensor.name, "shape has more elements than can be counted");
    }
    return size;
  }

  TensorView tensor(const std::string& name, const Json& entry, std::span<const std::uint8_t> data) const {
    if (!entry.is_object() || entry.size() != 3 || !entry.contains("dtype") || !entry.contains("shape") ||
        !entry.contains("data_offsets")) {
      fail(name, "has not just dtype, shape and data_offsets");
    }
    TensorView result{.name = name,
                      .dtype = dtype(name, entry["dtype"]),
                      .shape = numbers(name, "shape", entry["shape"]),
                      .data = {}};
    const std::vector<std::uint64_t> at = numbers(name, "data_offsets", entry["data_offsets"]);
    if (at.size() != 2) fail(name, "data_offsets are not two");
    if (at[0] > at[1] || at[1] > data.size()) {
      fail(name, fmt::format("lies at bytes {} to {} of {}: the file is cut short", at[0], at[1], data.size()));
    }
    const std::uint64_t need = size(result);
    if (need != at[1] - at[0]) fail(name, fmt::format("takes {} bytes and has {}", need, at[1] - at[0]));
    result.data = data.subspan(at[0], need);
    return result;
  }
};

Metadata metadata(const Reader& reader, const Json& entry) {
  Metadata result;
  if (!entry.is_object()) reader.fail("__metadata__", "is not an object");
  for (const auto& [key, value] : entry.items()) {
    if (!value.is_string()) reader.fail("__metadata__", fmt::format("{} is not a text", printable(key)));
    result[key] = value.get<std::string>();
  }
  return result;
}

}  // namespace

Safetensors parse_safetensors(std::span<const std::uint8_t> bytes, std::string_view file) {
  const Reader reader{bytes, file};
  const std::string_view header = reader.header();
  const Json root = reader.parse(header);
  const std::span<const std::uint8_t> data = bytes.subspan(8 + header.size());

  Safetensors result;
  for (const auto& [name, entry] : root.items()) {
    if (name == "__metadata__") {
      result.metadata = metadata(reader, entry);
    } else {
      result.tensors.push_back(reader.tensor(name, entry, data));
    }
  }
  std::ranges::sort(result.tensors, {}, [](const TensorView& t) { return std::pair(t.data.data(), t.data.size()); });
  std::uint64_t end = 0;
  for (const TensorView& tensor : result.tensors) {
    const auto begin = static_cast<std::uint64_t>(tensor.data.data() - data.data());
    if (begin != end) {
      reader.fail(tensor.name, fmt::format("begins at byte {} where the last one ends at {}", begin, end));
    }
    end += tensor.data.size();
  }
  if (end != data.size()) reader.fail("", fmt::format("{} bytes follow the last tensor", data.size() - end));
  return result;
}

}  // namespace weft
