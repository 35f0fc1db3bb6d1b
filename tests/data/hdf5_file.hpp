/// HDF5 files in the layout of the Model Zoo's data preparation.
#pragma once

#include <gtest/gtest.h>
#include <hdf5.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace weft::data {

/// Writes `values`, [samples][rows][seq], as data set `name`, compressed by sample, with the number of samples as an
/// attribute of the file.
inline void write_hdf5(const std::string& path, const std::vector<std::int32_t>& values, std::uint64_t seq,
                       std::uint64_t rows = 3, const char* name = "data") {
  const std::array<hsize_t, 3> shape = {values.size() / (rows * seq), rows, seq}, chunk = {1, rows, seq};
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t space = H5Screate_simple(3, shape.data(), nullptr), options = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(options, 3, chunk.data());
  H5Pset_deflate(options, 4);
  const hid_t data = H5Dcreate2(file, name, H5T_STD_I32LE, space, H5P_DEFAULT, options, H5P_DEFAULT);
  if (!values.empty()) {
    EXPECT_GE(H5Dwrite(data, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  }
  const hid_t one = H5Screate(H5S_SCALAR);
  const hid_t examples = H5Acreate2(file, "n_examples", H5T_STD_I64LE, one, H5P_DEFAULT, H5P_DEFAULT);
  const std::int64_t count = static_cast<std::int64_t>(shape[0]);
  H5Awrite(examples, H5T_NATIVE_INT64, &count);
  H5Aclose(examples);
  H5Sclose(one);
  H5Dclose(data);
  H5Pclose(options);
  H5Sclose(space);
  EXPECT_GE(H5Fclose(file), 0) << path;
}

/// Writes tokens in one dimension as "data"; `packed`: in chunks that are compressed.
inline void write_hdf5_corpus(const std::string& path, const std::vector<std::int64_t>& tokens, bool packed = true) {
  const hsize_t size = tokens.size(), chunk = std::min<hsize_t>(100, size);
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t space = H5Screate_simple(1, &size, nullptr), options = H5Pcreate(H5P_DATASET_CREATE);
  if (packed) {
    H5Pset_chunk(options, 1, &chunk);
    H5Pset_deflate(options, 4);
  }
  const hid_t data = H5Dcreate2(file, "data", H5T_STD_I64LE, space, H5P_DEFAULT, options, H5P_DEFAULT);
  EXPECT_GE(H5Dwrite(data, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, tokens.data()), 0);
  H5Dclose(data);
  H5Pclose(options);
  H5Sclose(space);
  EXPECT_GE(H5Fclose(file), 0) << path;
}

/// Adds a data set `labels` of floats, of this shape, to a file.
inline void add_hdf5_labels(const std::string& path, const std::vector<float>& labels,
                            const std::vector<hsize_t>& shape) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
  const hid_t data = H5Dcreate2(file, "labels", H5T_IEEE_F32LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_GE(H5Dwrite(data, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, labels.data()), 0);
  H5Dclose(data);
  H5Sclose(space);
  EXPECT_GE(H5Fclose(file), 0) << path;
}

}  // namespace weft::data
