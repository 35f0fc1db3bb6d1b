/// Finds the files of a data_dir.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weft::data {

struct Corpus {
  bool shards = false;             ///< token shards; otherwise text
  bool hdf5 = false;               ///< shards are HDF5 files of whole samples
  std::vector<std::string> files;  ///< sorted by name; at least one
};

/// A file is HDF5 if its name ends in .h5 or .hdf5 or it begins with the HDF5 signature; a shard if its name ends in
/// .bin or it begins like one; any other file is text. In a folder, the corpus consists of the *.h5 and *.hdf5 files,
/// of the *.bin files, or of the *.txt and *.jsonl files (documents.hpp), whichever exist. A path that does not exist
/// may be a shell pattern, "DIR/train_*.bin". Several paths (config::listed_paths) are one corpus. Throws Refusal if
/// there are no such files, files of several of these kinds, or training data together with evaluation data
/// (file_names.hpp).
Corpus find_corpus(const std::string& data_dir);

}  // namespace weft::data
