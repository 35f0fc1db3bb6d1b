#include "host/checkpoint/reader.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "host/checkpoint/checksum.hpp"
#include "host/checkpoint/foreign.hpp"
#include "host/checkpoint/model_tensors.hpp"
#include "host/checkpoint/unusable.hpp"

namespace weft::checkpoint {
namespace {

/// The number that the file has under `key`.
template <class Number>
Number number_in(const Metadata& metadata, const std::string& key, const std::string& file) {
  Number value{};
  const auto said = metadata.find(key);
  const std::string text = said == metadata.end() ? "" : said->second;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc{} && end == text.data() + text.size() && std::isfinite(static_cast<double>(value)))
    return value;
  throw file_error<DamagedFile>(file, key, "is not a number", "take another checkpoint");
}

}  // namespace

CheckpointReader::CheckpointReader(std::unique_ptr<ByteSource> source, const std::string& file,
                                   std::span<const compiler::TensorInfo> tensors)
    : source_(std::move(source)), tensors_(tensors.begin(), tensors.end()) {
  for (const compiler::TensorInfo& t : tensors_) size_ += t.size;
  const Checksum checksum = verify_checksum(*source_);
  if (checksum == Checksum::Wrong) {
    throw file_error<DamagedFile>(file, "", "is damaged: its checksum does not match", "take another checkpoint");
  }
  Safetensors content = parse_safetensors(*source_, file);
  if (!content.metadata.contains("weft.format")) {
    take_theirs(std::move(content.tensors), file);
  } else if (checksum == Checksum::None) {
    throw file_error<DamagedFile>(file, "", "has no checksum", "take another checkpoint");
  } else {
    take_ours(std::move(content), file);
  }
}

CheckpointReader::CheckpointReader(std::unique_ptr<ByteSource> source, std::vector<TensorView> views,
                                   const std::string& file, std::span<const compiler::TensorInfo> tensors)
    : source_(std::move(source)), tensors_(tensors.begin(), tensors.end()) {
  for (const compiler::TensorInfo& t : tensors_) size_ += t.size;
  take_theirs(std::move(views), file);
}

void CheckpointReader::take_theirs(std::vector<TensorView> views, const std::string& file) {
  weights_only = true;
  std::uint64_t first = 0;
  for (TensorView& tensor : take_foreign(file, *source_, std::move(views), tensors_)) {
    places_[kWeights].push_back({first, std::move(tensor)});
    first += tensors_[places_[kWeights].size() - 1].size;
  }
}

void CheckpointReader::take_ours(Safetensors content, const std::string& file) {
  const std::string& format = content.metadata["weft.format"];
  if (format != "1") {
    throw file_error(file, "weft.format", fmt::format("\"{}\" is not known", printable(format)), "use a newer Weft");
  }
  step = number_in<std::uint64_t>(content.metadata, "weft.step", file);
  for (const char* number : {"weft.dealt", "weft.data_position"})
    if (content.metadata.contains(number)) number_in<std::uint64_t>(content.metadata, number, file);
  if (content.metadata.contains("weft.average_loss")) number_in<double>(content.metadata, "weft.average_loss", file);
  ModelTensors tensors(file, *source_, std::move(content.tensors));
  if (!tensors_.empty() && tensors.has("weft.m." + tensors_.front().name)) moments = 1;
  if (moments > 0 && tensors.has("weft.v." + tensors_.front().name)) moments = 2;
  for (const compiler::TensorInfo& t : tensors_) {
    const auto take = [&](Vector vector, const std::string& name, auto fault) {
      TensorView tensor = tensors.take_floats(name, t);
      if (const auto problem = tensors.first_fault(tensor, fault)) {
        throw file_error<DivergedCheckpoint>(file, name, *problem, "take an earlier checkpoint");
      }
      places_[vector].push_back({t.offset, std::move(tensor)});
    };
    take(kWeights, t.name, beyond_limit);
    if (moments > 0) take(kFirstMoments, "weft.m." + t.name, not_finite);
    if (moments > 1) take(kSecondMoments, "weft.v." + t.name, not_finite);
    if (const std::string name = "weft.mask." + t.name; tensors.has(name)) mask[t.name] = tensors.take_mask(name, t);
  }
  tensors.finish();
  for (const auto& [key, value] : content.metadata) {
    if (key.starts_with("weft.")) about[key.substr(5)] = value;
  }
  for (const char* own : {"format", "step", "crc32c"}) about.erase(own);
}

void CheckpointReader::read(Vector vector, std::uint64_t first, std::span<float> out) const {
  const std::vector<Place>& places = places_[vector];
  if (places.empty()) std::ranges::fill(out, 0.0F);
  while (!out.empty() && !places.empty()) {
    const auto at = std::ranges::upper_bound(places, first, {}, &Place::first) - 1;
    const compiler::TensorInfo& tensor = tensors_[static_cast<std::size_t>(at - places.begin())];
    const std::uint64_t count = std::min<std::uint64_t>(out.size(), at->first + tensor.size - first);
    std::span<float> some = out.first(count);
    for_each_float(*source_, at->tensor, first - at->first, count, [&](std::span<const float> values) {
      std::ranges::copy(values, some.begin());
      some = some.subspan(values.size());
    });
    out = out.subspan(count);
    first += count;
  }
}

void CheckpointReader::for_each(Vector vector, std::uint64_t first, std::uint64_t count,
                                const std::function<void(std::span<const float>)>& work) const {
  std::vector<float> some(std::min<std::uint64_t>(count, ByteSource::kSome / sizeof(float)));
  for (std::uint64_t at = 0; at < count; at += some.size()) {
    some.resize(std::min<std::uint64_t>(count - at, some.size()));
    read(vector, first + at, some);
    work(some);
  }
}

std::shared_ptr<const CheckpointReader> open_checkpoint(const std::string& file,
                                                        std::span<const compiler::TensorInfo> tensors) {
  return std::make_shared<CheckpointReader>(std::make_unique<FileSource>(file, 4 * checkpoint_bytes(tensors)), file,
                                            tensors);
}

}  // namespace weft::checkpoint
