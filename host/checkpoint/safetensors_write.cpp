#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>

#include "host/checkpoint/safetensors.hpp"
#include "sw/base/json_parse.hpp"

namespace weft::checkpoint {

std::string_view dtype_name(Dtype dtype) {
  constexpr std::string_view kNames[] = {"BOOL", "U8",  "I8",  "F8_E5M2", "F8_E4M3", "I16", "U16", "F16",
                                         "BF16", "I32", "U32", "F32",     "F64",     "I64", "U64"};
  return kNames[static_cast<std::size_t>(dtype)];
}

std::size_t dtype_bytes(Dtype dtype) {
  constexpr std::uint8_t kBytes[] = {1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 8, 8, 8};
  return kBytes[static_cast<std::size_t>(dtype)];
}

std::string safetensors_header(const Metadata& metadata, const std::vector<TensorView>& tensors) {
  std::vector<TensorShape> shapes;
  for (const TensorView& t : tensors) shapes.push_back({t.name, t.dtype, t.shape, t.data.size()});
  return safetensors_header(metadata, shapes);
}

std::string safetensors_header(const Metadata& metadata, const std::vector<TensorShape>& tensors) {
  static_assert(std::endian::native == std::endian::little, "the length is little endian");
  std::string header = "{";
  const auto add = [&](const std::string& key, const nlohmann::ordered_json& value) {
    header += (header.size() == 1 ? "" : ",") + dump_json(nlohmann::json(key)) + ":" + dump_json(value);
  };
  if (!metadata.empty()) add("__metadata__", metadata);
  std::uint64_t end = 0;
  for (const TensorShape& tensor : tensors) {
    const std::uint64_t begin = end;
    end += tensor.bytes;
    add(tensor.name, {{"dtype", dtype_name(tensor.dtype)}, {"shape", tensor.shape}, {"data_offsets", {begin, end}}});
  }
  header += "}";
  header.resize((header.size() + 7) / 8 * 8, ' ');
  const std::uint64_t length = header.size();
  std::string result(8, '\0');
  std::memcpy(result.data(), &length, 8);
  return result + header;
}

}  // namespace weft::checkpoint
