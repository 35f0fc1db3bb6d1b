/// In place of hdf5_samples.cpp and hdf5_tokens.cpp in a program that is built without libhdf5.
#include "host/data/hdf5_numbers.hpp"
#include "host/data/hdf5_samples.hpp"
#include "host/data/hdf5_tokens.hpp"
#include "sw/base/refusal.hpp"

namespace weft::data {

std::shared_ptr<const Samples> load_hdf5_samples(const std::vector<std::string>& paths, int, int, int, int,
                                                 compiler::Losses, bool) {
  throw Refusal(paths.front(), "is an HDF5 file, which needs libhdf5, and this weft was built without it",
                "make build installs libhdf5 and adds it to weft");
}

std::shared_ptr<const Samples> load_hdf5_numbers(const std::vector<std::string>& paths, int, int, int) {
  return load_hdf5_samples(paths, 0, 0);
}

bool is_hdf5_corpus(const std::string&) { return false; }

void append_hdf5_tokens(const std::vector<std::string>& paths, int, Tokens&) { load_hdf5_samples(paths, 0, 0); }

}  // namespace weft::data
