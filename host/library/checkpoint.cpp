#include "weft/checkpoint.hpp"

#include <algorithm>
#include <charconv>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <string_view>

#include "host/checkpoint/checkpoint.hpp"
#include "host/checkpoint/checksum.hpp"
#include "host/checkpoint/convert.hpp"
#include "host/checkpoint/file.hpp"
#include "host/checkpoint/model_tensors.hpp"
#include "host/library/convert.hpp"
#include "host/library/translate.hpp"

namespace weft::library {
namespace {

constexpr std::string_view kOwn = "weft.", kFirst = "weft.m.", kSecond = "weft.v.", kMask = "weft.mask.";

std::uint64_t elements(const std::vector<std::uint64_t>& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::uint64_t{1}, std::multiplies<>());
}

/// Reads a tensor, which must be of floats or a mask.
Array read_array(const std::string& file, const checkpoint::ByteSource& source, const checkpoint::TensorView& tensor) {
  Array array{.name = tensor.name, .shape = tensor.shape};
  if (tensor.dtype == checkpoint::Dtype::Bool) {
    array.is_mask = true;
    array.mask.resize(tensor.bytes);
    source.read(tensor.begin, array.mask);
  } else if (checkpoint::is_float(tensor.dtype)) {
    array.values.reserve(elements(tensor.shape));
    checkpoint::for_each_float(source, tensor, 0, elements(tensor.shape), [&](std::span<const float> some) {
      array.values.insert(array.values.end(), some.begin(), some.end());
    });
  } else {
    throw checkpoint::file_error(file, tensor.name, "has the type " + std::string(checkpoint::dtype_name(tensor.dtype)),
                                 "only F32, F16, BF16 and BOOL are read");
  }
  return array;
}

/// Removes the entries that the writer adds.
void take_metadata(const checkpoint::Metadata& all, const std::string& file, Checkpoint& checkpoint) {
  if (!all.contains("weft.format")) return;
  const auto step = all.find("weft.step");
  const std::string text = step == all.end() ? "" : step->second;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), checkpoint.step);
  if (error != std::errc{} || end != text.data() + text.size())
    throw checkpoint::file_error<DamagedFile>(file, "weft.step", "is not a number", "take another checkpoint");
  for (const auto& [key, value] : all)
    if (key.starts_with(kOwn)) checkpoint.metadata[key.substr(kOwn.size())] = value;
  for (const char* own : {"format", "step", "crc32c"}) checkpoint.metadata.erase(own);
}

Checkpoint load(const std::string& file) {
  const checkpoint::FileSource source(file, std::numeric_limits<std::uint64_t>::max());
  if (checkpoint::verify_checksum(source) == checkpoint::Checksum::Wrong)
    throw checkpoint::file_error<DamagedFile>(file, "", "is damaged: its checksum does not match",
                                              "take another checkpoint");
  const checkpoint::Safetensors content = checkpoint::parse_safetensors(source, file);
  Checkpoint result;
  take_metadata(content.metadata, file, result);
  for (const checkpoint::TensorView& tensor : content.tensors)
    result.arrays.push_back(read_array(file, source, tensor));
  source.check();
  return result;
}

/// The parts of a checkpoint as its writer takes them.
class Parts {
 public:
  Parts(const std::string& file, const Checkpoint& checkpoint) : file_(file) {
    for (const Array& array : checkpoint.arrays) {
      check(array);
      if (!array.name.starts_with(kOwn)) add_weights(array);
    }
    for (const Array& array : checkpoint.arrays)
      if (array.name.starts_with(kOwn)) add_own(array);
    for (const auto* moments : {&first_, &second_})
      if (!moments->empty() && seen_[moments == &first_ ? 0 : 1] != tensors_.size())
        fail(std::string(moments == &first_ ? kFirst : kSecond), "is missing for some weights",
             "give moments for all weights, or for none");
  }

  bool has_state() const { return !first_.empty() || !second_.empty() || !mask_.empty(); }
  const std::vector<compiler::TensorInfo>& tensors() const { return tensors_; }
  std::span<const float> weights() const { return weights_; }

  void save(std::uint64_t step, const std::map<std::string, std::string>& metadata) const {
    checkpoint::save_checkpoint(file_, tensors_,
                                {.step = step,
                                 .weights = weights_,
                                 .first_moments = first_,
                                 .second_moments = second_,
                                 .mask = &mask_,
                                 .about = {metadata.begin(), metadata.end()}});
  }

 private:
  [[noreturn]] void fail(const std::string& name, const std::string& problem, const std::string& hint) const {
    throw checkpoint::file_error(file_, name, problem, hint);
  }

  void check(const Array& array) {
    const std::size_t count = array.is_mask ? array.mask.size() : array.values.size();
    if (count != elements(array.shape))
      fail(array.name, "has another number of elements than its shape", "pass the whole array");
    if (array.is_mask != array.name.starts_with(kMask))
      fail(array.name, array.is_mask ? "is a mask, but not weft.mask.NAME" : "is not of bool",
           "weights and moments are floats, masks are bool");
    if (!names_.insert(array.name).second) fail(array.name, "occurs twice", "give each name once");
  }

  void add_weights(const Array& array) {
    places_[array.name] = tensors_.size();
    tensors_.push_back({.name = array.name,
                        .dims = {array.shape.begin(), array.shape.end()},
                        .offset = weights_.size(),
                        .size = array.values.size()});
    weights_.insert(weights_.end(), array.values.begin(), array.values.end());
  }

  void add_own(const Array& array) {
    for (const std::string_view prefix : {kFirst, kSecond, kMask}) {
      if (!array.name.starts_with(prefix)) continue;
      const auto place = places_.find(array.name.substr(prefix.size()));
      if (place == places_.end()) fail(array.name, "has no weights of its name", "add them, or leave it out");
      const compiler::TensorInfo& tensor = tensors_[place->second];
      if (!std::ranges::equal(array.shape, tensor.dims))
        fail(array.name, "has another shape than its weights", "give it the same");
      if (prefix == kMask) {
        mask_[tensor.name] = {array.mask.begin(), array.mask.end()};
        return;
      }
      std::vector<float>& moments = prefix == kFirst ? first_ : second_;
      moments.resize(weights_.size());
      std::ranges::copy(array.values, moments.begin() + static_cast<std::ptrdiff_t>(tensor.offset));
      ++seen_[prefix == kFirst ? 0 : 1];
      return;
    }
    fail(array.name, "is not a name of a checkpoint", "names with weft. are weft.m.NAME, weft.v.NAME, weft.mask.NAME");
  }

  const std::string file_;
  std::set<std::string> names_;
  std::map<std::string, std::size_t> places_;
  std::vector<compiler::TensorInfo> tensors_;
  std::vector<float> weights_, first_, second_;
  std::size_t seen_[2] = {0, 0};  // tensors with first and second moments
  compiler::Mask mask_;
};

/// Writes a file like those of other programs, with weights alone.
void save_weights(const std::string& file, const Parts& parts) {
  std::vector<checkpoint::TensorShape> shapes;
  for (const compiler::TensorInfo& tensor : parts.tensors())
    shapes.push_back(
        {tensor.name, checkpoint::Dtype::F32, {tensor.dims.begin(), tensor.dims.end()}, tensor.size * sizeof(float)});
  checkpoint::AtomicFile out(file);
  out.write(checkpoint::safetensors_header({{"format", "pt"}}, shapes));  // required by PyTorch's loaders
  const std::span<const float> values = parts.weights();
  out.write({reinterpret_cast<const std::uint8_t*>(values.data()), values.size_bytes()});
  out.commit();
}

}  // namespace

weft::Checkpoint public_checkpoint(const checkpoint::Checkpoint& state, std::span<const compiler::TensorInfo> tensors) {
  weft::Checkpoint result{.step = state.step, .metadata = {state.about.begin(), state.about.end()}};
  const auto add = [&](std::string_view prefix, const std::vector<float>& values) {
    for (const compiler::TensorInfo& tensor : tensors) {
      if (values.empty()) return;
      const auto begin = values.begin() + static_cast<std::ptrdiff_t>(tensor.offset);
      result.arrays.push_back({.name = std::string(prefix) + tensor.name,
                               .shape = {tensor.dims.begin(), tensor.dims.end()},
                               .values = {begin, begin + static_cast<std::ptrdiff_t>(tensor.size)}});
    }
  };
  add("", state.weights);
  add(kFirst, state.first_moments);
  add(kSecond, state.second_moments);
  for (const compiler::TensorInfo& tensor : tensors)
    if (const auto mask = state.mask.find(tensor.name); mask != state.mask.end())
      result.arrays.push_back({.name = std::string(kMask) + tensor.name,
                               .shape = {tensor.dims.begin(), tensor.dims.end()},
                               .mask = {mask->second.begin(), mask->second.end()},
                               .is_mask = true});
  return result;
}

}  // namespace weft::library

namespace weft {
inline namespace v0 {

Checkpoint load_checkpoint(const std::string& file) {
  return library::called([&](const auto&) { return library::load(file); });
}

void save_checkpoint(const std::string& file, const Checkpoint& checkpoint) {
  library::called([&](const auto&) {
    const library::Parts parts(file, checkpoint);
    if (checkpoint.step > 0 || !checkpoint.metadata.empty() || parts.has_state()) {
      parts.save(checkpoint.step, checkpoint.metadata);
    } else {
      library::save_weights(file, parts);
    }
  });
}

}  // namespace v0
}  // namespace weft
