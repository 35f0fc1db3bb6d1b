/// A checkpoint of llm.c, seen as tensors in the model's order and orientation.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "host/checkpoint/byte_source.hpp"
#include "host/checkpoint/reader.hpp"
#include "host/exchange/llmc.hpp"

namespace weft {

/// A matrix that lies the other way round in the file is turned when some of it is read, and stays in memory until
/// another one is: readers go through tensors from end to end.
class LlmcSource final : public ByteSource {
 public:
  /// `file`: a whole checkpoint of llm.c with this layout.
  LlmcSource(std::unique_ptr<ByteSource> file, LlmcLayout layout, std::span<const TensorInfo> tensors, Dtype dtype);

  std::uint64_t size() const override { return size_; }
  void read(std::uint64_t at, std::span<std::uint8_t> to) const override;
  void check() const override { file_->check(); }
  /// The tensors of this source.
  const std::vector<TensorView>& tensors() const { return views_; }

 private:
  const std::vector<std::uint8_t>& turned(std::size_t n) const;

  std::unique_ptr<ByteSource> file_;
  LlmcLayout layout_;
  std::vector<TensorView> views_;  // [place]
  std::uint64_t size_ = 0;
  mutable std::mutex mutex_;  // of the next two
  mutable std::size_t which_;
  mutable std::vector<std::uint8_t> matrix_;  // of that place, as the model has it
};

/// Whether the file begins with llm.c's magic; false for what cannot be read.
bool is_llmc(const std::string& file);

/// Throws Refusal as llmc_layout; if the file is of another model, naming every number that differs; DamagedFile if it
/// is not whole.
std::shared_ptr<const CheckpointReader> open_llmc(const std::string& file, const ModelShape& model,
                                                  std::span<const TensorInfo> tensors);

/// The model that the file's header tells. Throws Refusal.
ModelShape llmc_model(const std::string& file);

}  // namespace weft
