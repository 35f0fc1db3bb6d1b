/// Reads a checkpoint that was verified once; its numbers are read on demand, in chunks.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "host/checkpoint/byte_source.hpp"
#include "host/checkpoint/checkpoint.hpp"

namespace weft::checkpoint {

class CheckpointReader {
 public:
  /// Reads and verifies the whole file: checksum, header, numbers. Throws as load_checkpoint.
  CheckpointReader(std::unique_ptr<ByteSource> source, const std::string& file,
                   std::span<const compiler::TensorInfo> tensors);
  /// Opens another program's weights, which are `views` of the source: all numbers are read and checked to be valid.
  /// `file` is for errors.
  CheckpointReader(std::unique_ptr<ByteSource> source, std::vector<TensorView> views, const std::string& file,
                   std::span<const compiler::TensorInfo> tensors);

  std::uint64_t step = 0;
  compiler::Mask mask;
  Metadata about;             ///< as Checkpoint::about
  bool weights_only = false;  ///< written by another program: step and moments are zero
  int moments = 0;            ///< number of moment vectors in the file

  enum Vector : std::uint8_t { kWeights, kFirstMoments, kSecondMoments, kVectors };

  /// Reads elements of the flat vector from `first` on.
  void read(Vector vector, std::uint64_t first, std::span<float> out) const;
  /// Calls work(values) for `count` elements from `first` on, in chunks.
  void for_each(Vector vector, std::uint64_t first, std::uint64_t count,
                const std::function<void(std::span<const float>)>& work) const;
  /// Number of elements of a vector.
  std::uint64_t size() const { return size_; }
  /// Throws Refusal if the file was changed while it was read.
  void check() const { source_->check(); }

 private:
  struct Place {
    std::uint64_t first = 0;  ///< first element in the flat vector
    TensorView tensor;
  };
  void take_ours(Safetensors content, const std::string& file);
  void take_theirs(std::vector<TensorView> tensors, const std::string& file);

  std::unique_ptr<ByteSource> source_;
  std::vector<compiler::TensorInfo> tensors_;
  std::uint64_t size_ = 0;
  std::array<std::vector<Place>, kVectors> places_;  // places of the tensors, in their order; empty: zeros
};

/// Opens a file. Throws as load_checkpoint.
std::shared_ptr<const CheckpointReader> open_checkpoint(const std::string& file,
                                                        std::span<const compiler::TensorInfo> tensors);

}  // namespace weft::checkpoint
