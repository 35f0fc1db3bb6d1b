#include <charconv>

#include "host/checkpoint/checkpoint.hpp"
#include "host/checkpoint/checksum.hpp"
#include "host/checkpoint/file.hpp"
#include "host/checkpoint/foreign.hpp"
#include "host/checkpoint/model_tensors.hpp"
#include "host/checkpoint/unusable.hpp"

namespace weft {
namespace {

Checkpoint empty(std::span<const TensorInfo> tensors) {
  std::size_t size = 0;
  for (const TensorInfo& t : tensors) size += t.size;
  Checkpoint result;
  for (auto* values : {&result.weights, &result.first_moments, &result.second_moments}) values->resize(size);
  return result;
}

Checkpoint ours(const std::string& file, Safetensors content, std::span<const TensorInfo> infos) {
  const std::string& format = content.metadata["weft.format"];
  if (format != "1") {
    throw file_error(file, "weft.format", fmt::format("\"{}\" is not known", printable(format)), "use a newer Weft");
  }
  Checkpoint result = empty(infos);
  const std::string& step = content.metadata["weft.step"];
  const auto [end, error] = std::from_chars(step.data(), step.data() + step.size(), result.step);
  if (error != std::errc{} || end != step.data() + step.size()) {
    throw file_error<DamagedFile>(file, "weft.step", "is no number", "take another checkpoint");
  }
  ModelTensors tensors(file, std::move(content.tensors));
  for (const TensorInfo& t : infos) {
    const auto of = [&](std::vector<float>& all) { return std::span(all).subspan(t.offset, t.size); };
    const auto take = [&](const std::string& name, std::span<float> out, const auto& fault) {
      tensors.take_floats(name, t, out);
      if (const auto problem = fault(out)) {
        throw file_error<DivergedCheckpoint>(file, name, *problem, "take an earlier checkpoint");
      }
    };
    take(t.name, of(result.weights), beyond_limit);
    take("weft.m." + t.name, of(result.first_moments), not_finite);
    take("weft.v." + t.name, of(result.second_moments), not_finite);
    if (const std::string mask = "weft.mask." + t.name; tensors.has(mask)) {
      result.mask[t.name] = tensors.take_mask(mask, t);
    }
  }
  tensors.finish();
  for (const auto& [key, value] : content.metadata) {
    if (key.starts_with("weft.")) result.about[key.substr(5)] = value;
  }
  for (const char* own : {"format", "step", "crc32c"}) result.about.erase(own);
  return result;
}

}  // namespace

Checkpoint parse_checkpoint(std::span<const std::uint8_t> bytes, const std::string& file,
                            std::span<const TensorInfo> tensors) {
  const Checksum checksum = verify_checksum(bytes);
  if (checksum == Checksum::Wrong) {
    throw file_error<DamagedFile>(file, "", "is damaged: its checksum does not match", "take another checkpoint");
  }
  Safetensors content = parse_safetensors(bytes, file);
  if (!content.metadata.contains("weft.format")) {
    Checkpoint result = empty(tensors);
    result.weights_only = true;
    load_foreign(file, std::move(content.tensors), tensors, result.weights);
    return result;
  }
  if (checksum == Checksum::None) {
    throw file_error<DamagedFile>(file, "", "has no checksum", "take another checkpoint");
  }
  return ours(file, std::move(content), tensors);
}

Checkpoint load_checkpoint(const std::string& file, std::span<const TensorInfo> tensors) {
  return parse_checkpoint(read_file(file), file, tensors);
}

}  // namespace weft
