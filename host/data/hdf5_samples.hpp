/// Samples in HDF5 as written by the Model Zoo's data preparation: each file has a data set `data` of integers,
/// [samples][3][max_sequence_length]: token ids, a mask (1: the label counts, 0: the label is ignored), labels. A label
/// of -100 is ignored, too. For a model with segments a fourth row may have each token's segment; without it all are 0.
/// For a network with a loss of classes and one of tokens, a last row has the classes, -100 where there is none.
/// With `vsl`, samples of several documents (variable sequence length): five rows, whose last two are attention_span,
/// the number of later tokens that see this one, and position_ids, from 0 in each document.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "host/data/samples.hpp"
#include "sw/compiler/model/losses.hpp"

namespace weft::data {

/// The samples of several files, one file after the other. Samples stay on disk: the first pass reads all of them,
/// checks each id against the vocabulary and keeps the CRC-32C of every sample, four bytes; later reads compare it. The
/// first pass runs in a separate process, because the library may crash on a damaged file. The library is not
/// thread-safe, so one thread reads at a time.
class Hdf5Samples final : public Samples {
 public:
  /// Runs the first pass. Throws Refusal if a file has another format, no sample, an id that is not below `vocab`, or a
  /// sample without any label that counts. `segments`, `classes`: kinds that the model has, or 0. `vsl`: samples of
  /// several documents.
  Hdf5Samples(const std::vector<std::string>& paths, int vocab, int seq, int segments = 0, int classes = 0,
              compiler::Losses losses = {compiler::Labels::Tokens}, bool vsl = false);
  ~Hdf5Samples() override;

  std::uint64_t size() const override { return checks_.size(); }
  std::uint64_t tokens() const override { return size() * seq_; }
  std::uint32_t checksum() const override { return checksum_; }
  bool all_count() const override { return all_count_; }
  void append(std::uint64_t k, Batch& batch) const override;

 private:
  class File;
  /// The results of the first pass.
  struct Kept {
    std::vector<std::uint32_t> checks;
    std::uint32_t checksum;  ///< checksum of all samples up to the end of the file
    bool all_count = true;
  };
  Kept first_pass(const File& file, std::uint32_t checksum) const;

  bool two_losses() const { return losses_.size() > 1; }
  void check_documents(const File& file, std::uint64_t k, std::span<const std::int32_t> sample) const;
  int vocab_, segments_, classes_;
  compiler::Losses losses_;
  std::uint64_t seq_;
  bool vsl_;
  std::vector<std::unique_ptr<File>> files_;
  std::vector<std::uint64_t> ends_;    // [file]: number of samples up to its end
  std::vector<std::uint32_t> checks_;  // [sample]: CRC-32C of its integers
  std::uint32_t checksum_ = 0;
  bool all_count_ = true;
};

/// The samples of files in HDF5. Throws Refusal as Hdf5Samples does, or if this program was built without libhdf5.
std::shared_ptr<const Samples> load_hdf5_samples(const std::vector<std::string>& paths, int vocab, int seq,
                                                 int segments = 0, int classes = 0,
                                                 compiler::Losses losses = {compiler::Labels::Tokens},
                                                 bool vsl = false);

}  // namespace weft::data
