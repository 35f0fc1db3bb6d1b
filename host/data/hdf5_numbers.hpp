/// Samples in HDF5 whose labels are numbers, for a network that ends with squared_error. Each file has a data set
/// `data` of integers, [samples][1][max_sequence_length]: token ids; for a model with segments a second row may have
/// each token's segment, without it all are 0. A data set `labels` of numbers, [samples] or
/// [samples][max_sequence_length], has that of each sample, which is the label of its first token, or that of each
/// token; NaN is none.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "host/data/samples.hpp"

namespace weft::data {

/// The samples of several files, one file after the other, read and checked as Hdf5Samples. Throws Refusal if a file
/// has another format, no sample, an id that is not below `vocab`, a label that is infinite, or a sample without a
/// label, or if this program was built without libhdf5. `segments`: kinds that the model has, or 0.
std::shared_ptr<const Samples> load_hdf5_numbers(const std::vector<std::string>& paths, int vocab, int seq,
                                                 int segments = 0);

}  // namespace weft::data
