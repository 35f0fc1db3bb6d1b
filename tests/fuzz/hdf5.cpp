/// HDF5 samples, read through the HDF5 library.
#include <hdf5.h>

#include <array>

#include "host/data/hdf5_samples.hpp"
#include "sw/base/token_id.hpp"
#include "tests/fuzz/folder.hpp"

namespace weft::fuzz::hdf5_target {
namespace {

constexpr int kVocab = 300, kSeq = 4;

/// A file of `samples` samples: chunked by sample and compressed, or contiguous.
std::string file_of(std::uint64_t samples, bool chunked, int packed) {
  static const Folder folder("weft_hdf5_seed");
  const std::string path = folder / "seed.h5";
  std::vector<std::int32_t> values;
  for (std::uint64_t n = 0; n < samples * 3 * kSeq; ++n)
    values.push_back(n / kSeq % 3 == 1 ? 1 : static_cast<std::int32_t>(7 * n % kVocab));
  const std::array<hsize_t, 3> shape = {samples, 3, kSeq}, chunk = {1, 3, kSeq};
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t space = H5Screate_simple(3, shape.data(), nullptr), options = H5Pcreate(H5P_DATASET_CREATE);
  if (chunked) H5Pset_chunk(options, 3, chunk.data());
  if (packed > 0) H5Pset_deflate(options, static_cast<unsigned>(packed));
  const hid_t data = H5Dcreate2(file, "data", H5T_STD_I32LE, space, H5P_DEFAULT, options, H5P_DEFAULT);
  promise(H5Dwrite(data, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0, "a seed is written");
  H5Dclose(data);
  H5Pclose(options);
  H5Sclose(space);
  H5Fclose(file);
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

std::vector<std::string> seeds() {
  static const std::vector<std::string> all = {file_of(3, false, 0), file_of(4, true, 0), file_of(2, true, 4)};
  return all;
}

void read(std::span<const std::uint8_t> bytes) {
  static const Folder folder("weft_hdf5");
  const std::string file = folder.write("damaged.h5", text_of(bytes));
  loads_or_refuses(file, [&] {
    const data::Hdf5Samples samples({file}, kVocab, kSeq);
    promise(samples.size() > 0, "a data set has samples");
    for (std::uint64_t k = 0; k < samples.size(); ++k) {
      data::Batch batch;
      samples.append(k, batch);
      promise(batch.inputs.size() == kSeq && batch.labels.size() == kSeq, "a sample is whole");
      for (const TokenId id : batch.inputs) promise(id < kVocab, "tokens are below vocab_size");
      for (const TokenId id : batch.labels) promise(id < kVocab || id == kNoLabel, "labels are below vocab_size");
    }
  });
}

const bool kAdded = add({"hdf5", seeds, read});

}  // namespace weft::fuzz::hdf5_target
