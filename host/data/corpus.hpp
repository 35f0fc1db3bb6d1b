/// The files behind a data_dir.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weft {

struct Corpus {
  bool shards = false;             ///< of tokens; else text
  bool hdf5 = false;               ///< shards in HDF5, of whole samples
  std::vector<std::string> files;  ///< in order of name; at least one
};

/// A file is HDF5 if its name ends in .h5 or .hdf5 or its first eight bytes say so, a shard if its name ends in .bin or
/// its first four bytes are a shard's; any other is text. Of a folder the
/// *.h5 and *.hdf5, the *.bin, or the *.txt and *.jsonl (documents.hpp), whichever it has. A path that is not there may
/// be a pattern as shells have them, "DIR/train_*.bin". Throws Refusal if there is nothing, or several of these, or
/// data to train with beside data to evaluate with (file_names.hpp).
Corpus find_corpus(const std::string& path);

}  // namespace weft
