/// Checkpoints: safetensors from Weft and from other programs. Weft's are also read with their checksum corrected,
/// because damage would otherwise hide everything behind the checksum.
#include "host/checkpoint/checkpoint.hpp"

#include <cmath>
#include <cstring>

#include "host/checkpoint/checksum.hpp"
#include "sw/base/crc32c.hpp"
#include "sw/compiler/model/tensors.hpp"
#include "tests/fuzz/target.hpp"

namespace weft::fuzz::checkpoint_target {
namespace {

std::vector<compiler::TensorInfo> tiny() {
  compiler::ModelShape model;
  model.vocab = 3, model.hidden = 2, model.layers = 1, model.heads = 1, model.filter = 2, model.seq = 2;
  return compiler::model_tensors(model);
}

using Bytes = std::vector<std::uint8_t>;

void put_checksum_right(Bytes& bytes) {
  std::uint64_t length = 0;
  if (bytes.size() < 8) return;
  std::memcpy(&length, bytes.data(), 8);
  const std::string_view header(reinterpret_cast<const char*>(bytes.data()),
                                8 + std::min<std::uint64_t>(length, bytes.size() - 8));
  const auto place = checkpoint::checksum_place(header);
  if (!place) return;
  const auto put = [&](std::string_view digits) { std::memcpy(bytes.data() + *place, digits.data(), digits.size()); };
  put(checkpoint::kNoChecksum);
  put(checkpoint::checksum_text(crc32c(bytes)));
}

std::string file(const std::vector<compiler::TensorInfo>& tensors, const std::string& prefix,
                 checkpoint::Metadata metadata, bool moments) {
  std::vector<checkpoint::TensorView> views;
  std::size_t size = 0;
  for (const compiler::TensorInfo& t : tensors) size += t.size;
  std::vector<float> values(size);
  for (std::size_t k = 0; k < size; ++k) values[k] = 0.25F * static_cast<float>(k);
  const auto* data = reinterpret_cast<const std::uint8_t*>(values.data());
  for (const std::string& kind :
       moments ? std::vector<std::string>{"", "weft.m.", "weft.v."} : std::vector<std::string>{prefix}) {
    for (const compiler::TensorInfo& t : tensors) {
      views.push_back(
          {kind + t.name, checkpoint::Dtype::F32, {t.dims.begin(), t.dims.end()}, {data + 4 * t.offset, 4 * t.size}});
    }
  }
  const std::vector<std::uint8_t> mask = {1, 0, 1, 1, 0, 1};
  if (moments) views.push_back({"weft.mask.wte.weight", checkpoint::Dtype::Bool, {3, 2}, mask});
  std::string text = checkpoint::safetensors_header(metadata, views);
  for (const checkpoint::TensorView& view : views) text.append(view.data.begin(), view.data.end());
  Bytes bytes(text.begin(), text.end());
  put_checksum_right(bytes);
  return {bytes.begin(), bytes.end()};
}

/// A header as another program may write it: other field order, spaces, escapes in names, empty tensors.
constexpr const char* kSpaced = R"({ "wt\u0065.weight" : { "data_offsets" : [ 0 , 0 ], "shape" : [ 3, 0 ],
  "dtype" : "BF16" }, "" : {"dtype":"BOOL","data_offsets":[0,0],"shape":[0]}, "__metadata__" : { } }   )";

std::string header(const std::string& json) {
  const std::uint64_t length = json.size();
  return std::string(reinterpret_cast<const char*>(&length), sizeof length) + json;
}

void parse(const Bytes& bytes) {
  const std::vector<compiler::TensorInfo> tensors = tiny();
  const std::size_t size = compiler::parameter_count(tensors);
  try {
    const checkpoint::Checkpoint c = checkpoint::parse_checkpoint(bytes, "checkpoint_1.safetensors", tensors);
    promise(c.weights.size() == size && c.first_moments.size() == size && c.second_moments.size() == size,
            "a checkpoint has every parameter");
    for (const auto* values : {&c.weights, &c.first_moments, &c.second_moments}) {
      for (const float value : *values) promise(std::isfinite(value), "a run can go on with its numbers");
    }
    for (const auto& [name, bits] : c.mask)
      promise(bits.size() == compiler::find_tensor(tensors, name).size, "a mask fits");
  } catch (const Refusal& e) {
    promise_one_line(e.what());
  }
}

}  // namespace

std::vector<std::string> seeds() {
  const std::vector<compiler::TensorInfo> tensors = tiny();
  const checkpoint::Metadata ours = {{"format", "pt"},
                                     {"weft.format", "1"},
                                     {"weft.step", "5"},
                                     {std::string(checkpoint::kChecksumKey), std::string(checkpoint::kNoChecksum)},
                                     {"weft.data_position", "80"}};
  return {file(tensors, "", ours, true),
          file(tensors, "transformer.", {}, false),
          file(tensors, "", {{"format", "pt"}}, false),
          header(kSpaced),
          header("{\"a\":{\"shape\":[[[["),
          header("{\"a\":{\"dtype\":\"F32\",\"shape\":[18446744073709551615,2],\"data_offsets\":[0,0]}}"),
          header("{\"__metadata__\":{\"a\":null},\"__metadata__\":{}}")};
}

void read(std::span<const std::uint8_t> bytes) {
  Bytes copy(bytes.begin(), bytes.end());
  parse(copy);
  put_checksum_right(copy);
  parse(copy);
}

const bool kAdded = add({"checkpoint", seeds, read});

}  // namespace weft::fuzz::checkpoint_target
