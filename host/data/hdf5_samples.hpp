/// Samples in HDF5, as the Model Zoo's preparation of data writes them: in each file a data set `data` of integers,
/// [samples][3][max_sequence_length]: token ids, a mask (1: the label counts, 0: it does not), labels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "host/data/samples.hpp"

namespace weft {

/// The samples of several files, one after the other. They stay on the disk: the first pass reads all of them, compares
/// each id with the vocabulary and keeps four bytes of every sample, its CRC-32C; later reads compare. It is in a
/// process of its own, which the library may end where a file is damaged. The library is not thread-safe, so one thread
/// reads at a time.
class Hdf5Samples final : public Samples {
 public:
  /// The first pass. Throws Refusal if a file is none of these, has no sample, an id that is not below `vocab`, or a
  /// sample of which no label counts.
  Hdf5Samples(const std::vector<std::string>& paths, int vocab, int seq);
  ~Hdf5Samples() override;

  std::uint64_t size() const override { return checks_.size(); }
  std::uint64_t tokens() const override { return size() * seq_; }
  std::uint32_t checksum() const override { return checksum_; }
  bool all_count() const override { return all_count_; }
  void append(std::uint64_t k, Batch& batch) const override;

 private:
  class File;
  /// What the first pass keeps.
  struct Kept {
    std::vector<std::uint32_t> checks;
    std::uint32_t checksum;  ///< of all samples up to the file's last
    bool all_count = true;
  };
  static Kept first_pass(const File& file, int vocab, std::uint64_t seq, std::uint32_t checksum);

  std::uint64_t seq_;
  std::vector<std::unique_ptr<File>> files_;
  std::vector<std::uint64_t> ends_;    // [file]: samples up to its end
  std::vector<std::uint32_t> checks_;  // [sample]: CRC-32C of its integers
  std::uint32_t checksum_ = 0;
  bool all_count_ = true;
};

}  // namespace weft
