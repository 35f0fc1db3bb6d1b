/// Presents a checkpoint of llm.c as tensors in the model's order and orientation.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "host/checkpoint/byte_source.hpp"
#include "host/checkpoint/reader.hpp"
#include "host/formats/llmc.hpp"

namespace weft::formats {

/// A matrix that is stored transposed is transposed when a part of it is read, and cached until another one is read,
/// because readers process tensors from end to end.
class LlmcSource final : public checkpoint::ByteSource {
 public:
  /// `file`: a complete checkpoint of llm.c with this layout.
  LlmcSource(std::unique_ptr<checkpoint::ByteSource> file, LlmcLayout layout,
             std::span<const compiler::TensorInfo> tensors, checkpoint::Dtype dtype);

  std::uint64_t size() const override { return size_; }
  void read(std::uint64_t at, std::span<std::uint8_t> to) const override;
  void check() const override { file_->check(); }
  /// The tensors of this source.
  const std::vector<checkpoint::TensorView>& tensors() const { return views_; }

 private:
  const std::vector<std::uint8_t>& turned(std::size_t n) const;

  std::unique_ptr<checkpoint::ByteSource> file_;
  LlmcLayout layout_;
  std::vector<checkpoint::TensorView> views_;  // [place]
  std::uint64_t size_ = 0;
  mutable std::mutex mutex_;  // guards the next two members
  mutable std::size_t which_;
  mutable std::vector<std::uint8_t> matrix_;  // matrix of place which_, in the model's orientation
};

/// True if the file begins with llm.c's magic number; false if it cannot be read.
bool is_llmc(const std::string& file);

/// Opens a checkpoint. Throws Refusal as llmc_layout, or if the file is of another model, naming every number that
/// differs; DamagedFile if the file is incomplete.
std::shared_ptr<const checkpoint::CheckpointReader> open_llmc(const std::string& file,
                                                              const compiler::ModelShape& model,
                                                              std::span<const compiler::TensorInfo> tensors);

/// The model described by the file's header. Throws Refusal.
compiler::ModelShape llmc_model(const std::string& file);

}  // namespace weft::formats
