#include "host/checkpoint/safetensors_header.hpp"

#include <nlohmann/json.hpp>
#include <set>

namespace weft::checkpoint {
namespace {

using Json = nlohmann::json;

constexpr const char* kMetadata = "__metadata__";
constexpr std::size_t kMostSizes = 64;  // maximum number of dimensions, as in NumPy and PyTorch

/// Streaming reader that stores only the result. (A tree would require a search for each object that ends.)
class HeaderReader final : public nlohmann::json_sax<Json> {
 public:
  HeaderReader(std::uint64_t data, std::string_view file) : data_(data), file_(file) {}

  Safetensors take() { return std::move(result_); }

  bool null() override { return other(); }
  bool boolean(bool) override { return other(); }
  bool number_integer(std::int64_t) override { return other(); }
  bool number_float(double, const std::string&) override { return other(); }
  bool binary(Json::binary_t&) override { return other(); }
  bool number_unsigned(std::uint64_t value) override {
    if (in_ != In::Sizes) return other();
    if (sizes().size() == kMostSizes) fail(name_, fmt::format("{} has more than {} elements", field_, kMostSizes));
    sizes().push_back(value);
    return true;
  }
  bool string(std::string& value) override {
    if (in_ == In::Metadata) {
      result_.metadata[field_] = value;
    } else if (in_ == In::Tensor && field_ == "dtype") {
      tensor_.dtype = dtype(value);
    } else {
      return other();
    }
    return true;
  }

  bool start_object(std::size_t) override {
    if (in_ == In::Header) {
      in_ = name_ == kMetadata ? In::Metadata : In::Tensor;
      tensor_ = {.name = name_, .dtype = {}, .shape = {}, .data = {}};
      offsets_.clear();
      fields_.clear();
      return true;
    }
    if (in_ != In::Nothing) return nested();
    in_ = In::Header;
    return true;
  }
  bool key(std::string& name) override {
    if (!(in_ == In::Header ? names_ : fields_).insert(name).second) fail(name, "occurs twice");
    (in_ == In::Header ? name_ : field_) = name;
    if (in_ == In::Tensor && name != "dtype" && name != "shape" && name != "data_offsets") fail(name_, kNotATensor);
    return true;
  }
  bool end_object() override {
    if (in_ == In::Tensor) finish_tensor();
    in_ = in_ == In::Header ? In::Nothing : In::Header;
    return true;
  }
  bool start_array(std::size_t) override {
    if (in_ != In::Tensor || field_ == "dtype") return nested();
    in_ = In::Sizes;
    return true;
  }
  bool end_array() override {
    in_ = In::Tensor;
    return true;
  }
  bool parse_error(std::size_t at, const std::string&, const Json::exception& error) override {
    if (dynamic_cast<const Json::out_of_range*>(&error) != nullptr) fail("header", "has a number that is too large");
    fail("header", fmt::format("is not JSON at byte {}", at));
  }

 private:
  enum class In : std::uint8_t { Nothing, Header, Metadata, Tensor, Sizes };
  static constexpr const char* kNotATensor = "has other keys than dtype, shape and data_offsets";

  [[noreturn]] void fail(std::string_view part, std::string_view problem) const {
    refuse_safetensors(file_, part, problem);
  }
  /// Rejects a value in the wrong place.
  [[noreturn]] bool other() const {
    switch (in_) {
      case In::Metadata:
        fail(kMetadata, fmt::format("{} is not a string", printable(field_)));
      case In::Tensor:
        fail(name_, field_ == "dtype" ? "dtype is not a string" : field_ + " is not a list");
      case In::Sizes:
        fail(name_, field_ + " has an element that is not a non-negative integer");
      default:
        if (name_ == kMetadata) fail(kMetadata, "is not an object");
        fail(name_, kNotATensor);
    }
  }
  [[noreturn]] bool nested() const {
    if (in_ == In::Sizes) fail("header", "is nested too deeply");
    other();
  }
  std::vector<std::uint64_t>& sizes() { return field_ == "shape" ? tensor_.shape : offsets_; }

  Dtype dtype(const std::string& value) const {
    for (int d = 0; d <= static_cast<int>(Dtype::U64); ++d) {
      if (value == dtype_name(static_cast<Dtype>(d))) return static_cast<Dtype>(d);
    }
    throw file_error<DamagedFile>(file_, name_, fmt::format("dtype {} is not supported", printable(value)),
                                  "write it as F32, F16 or BF16, or take another copy");
  }

  void finish_tensor() {
    if (fields_.size() != 3) fail(name_, kNotATensor);
    if (offsets_.size() != 2) fail(name_, "data_offsets does not have two elements");
    const std::uint64_t begin = offsets_[0], end = offsets_[1];
    if (begin > end || end > data_) {
      fail(name_, fmt::format("is at bytes {} to {} of {}: the file is cut short", begin, end, data_));
    }
    std::uint64_t need = dtype_bytes(tensor_.dtype);
    for (const std::uint64_t dim : tensor_.shape) {
      if (__builtin_mul_overflow(need, dim, &need)) fail(name_, "shape has more elements than can be counted");
    }
    if (need != end - begin) fail(name_, fmt::format("needs {} bytes, but has {}", need, end - begin));
    tensor_.begin = begin;
    tensor_.bytes = need;
    result_.tensors.push_back(std::move(tensor_));
  }

  std::uint64_t data_;  // size in bytes
  std::string_view file_;
  Safetensors result_;
  In in_ = In::Nothing;
  std::set<std::string> names_,
      fields_;                // keys: header's; current object's. No hash tables: a file could provoke collisions
  std::string name_, field_;  // the most recent ones
  TensorView tensor_;
  std::vector<std::uint64_t> offsets_;
};

}  // namespace

void refuse_safetensors(std::string_view file, std::string_view part, std::string_view problem) {
  throw file_error<DamagedFile>(file, part, problem, "take another copy; this is not a complete safetensors file");
}

Safetensors read_safetensors_header(std::string_view header, std::uint64_t data, std::string_view file) {
  if (!header.starts_with('{')) refuse_safetensors(file, "header", "does not start with {");
  HeaderReader reader(data, file);
  Json::sax_parse(header, &reader);
  return reader.take();
}

}  // namespace weft::checkpoint
