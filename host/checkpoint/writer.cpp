#include "host/checkpoint/writer.hpp"

#include <algorithm>

#include "host/checkpoint/checksum.hpp"
#include "sw/base/crc32c.hpp"
#include "sw/base/invariant.hpp"

namespace weft::checkpoint {
namespace {

std::span<const std::uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::vector<TensorShape> shapes(std::span<const compiler::TensorInfo> tensors, const compiler::Mask* mask,
                                std::uint64_t vectors) {
  std::vector<TensorShape> result;
  const auto add = [&](const std::string& prefix, const compiler::TensorInfo& t, Dtype dtype) {
    result.push_back({prefix + t.name, dtype, {t.dims.begin(), t.dims.end()}, t.size * dtype_bytes(dtype)});
  };
  const char* const prefixes[] = {"", "weft.m.", "weft.v."};
  for (std::uint64_t vector = 0; vector < vectors; ++vector)
    for (const compiler::TensorInfo& t : tensors) add(prefixes[vector], t, Dtype::F32);
  for (const compiler::TensorInfo& t : tensors)
    if (mask != nullptr && mask->contains(t.name)) add("weft.mask.", t, Dtype::Bool);
  return result;
}

std::string header_of(std::span<const compiler::TensorInfo> tensors, std::uint64_t step, const compiler::Mask* mask,
                      const Metadata& about, std::uint64_t vectors) {
  Metadata metadata = {{"format", "pt"},  // required by PyTorch's loaders
                       {"weft.format", "1"},
                       {"weft.step", std::to_string(step)},
                       {std::string(kChecksumKey), std::string(kNoChecksum)}};
  for (const auto& [key, value] : about) metadata["weft." + key] = value;
  return safetensors_header(metadata, shapes(tensors, mask, vectors));
}

}  // namespace

CheckpointWriter::CheckpointWriter(const std::string& file, std::span<const compiler::TensorInfo> tensors,
                                   std::uint64_t step, const compiler::Mask* mask, const Metadata& about, int moments)
    : tensors_(tensors.begin(), tensors.end()),
      vectors_(static_cast<std::uint64_t>(1 + moments)),
      header_(header_of(tensors, step, mask, about, vectors_)),
      file_(file) {
  invariant(vectors_ <= kVectors, "a checkpoint has two vectors of moments at most");
  for (const compiler::TensorInfo& t : tensors_) {
    invariant(t.offset * sizeof(float) == vector_bytes_, "tensors follow one another in the flat vector");
    vector_bytes_ += t.size * sizeof(float);
  }
  file_.write(header_);  // the checksum is still missing
  std::uint64_t at = vectors_ * vector_bytes_;
  for (const compiler::TensorInfo& t : tensors_) {
    if (mask == nullptr || !mask->contains(t.name)) continue;
    const std::vector<bool>& kept = mask->at(t.name);
    constexpr std::size_t kSome = std::size_t{1} << 16;
    for (std::size_t k = 0; k < kept.size(); k += kSome) {
      const auto begin = kept.begin() + static_cast<std::ptrdiff_t>(k);
      const std::vector<std::uint8_t> some(begin,
                                           begin + static_cast<std::ptrdiff_t>(std::min(kSome, kept.size() - k)));
      write_at(at, some);
      at += some.size();
    }
  }
}

/// A vector has the same layout in the file as in memory.
void CheckpointWriter::write(Vector vector, std::uint64_t first, std::span<const float> values) {
  write_at(vector * vector_bytes_ + first * sizeof(float),
           {reinterpret_cast<const std::uint8_t*>(values.data()), values.size_bytes()});
}

void CheckpointWriter::write_at(std::uint64_t offset, std::span<const std::uint8_t> bytes) {
  if (bytes.empty()) return;
  file_.write_at(header_.size() + offset, bytes);
  const Part part{bytes.size(), crc32c(bytes)};
  const std::lock_guard lock(mutex_);
  parts_.emplace(offset, part);
}

void CheckpointWriter::commit(const std::function<void()>& may_appear) {
  std::uint32_t crc = crc32c(bytes_of(header_));
  std::uint64_t end = 0;
  for (const auto& [offset, part] : parts_) {
    invariant(offset == end, "a checkpoint is written once and completely");
    crc = crc32c_joined(crc, part.checksum, part.bytes);
    end += part.bytes;
  }
  invariant(end >= vectors_ * vector_bytes_, "a checkpoint is written completely");
  header_.replace(checksum_place(header_).value(), kNoChecksum.size(), checksum_text(crc));
  file_.write_at(0, bytes_of(header_));
  file_.finish();
  may_appear();
  file_.commit();
}

}  // namespace weft::checkpoint
