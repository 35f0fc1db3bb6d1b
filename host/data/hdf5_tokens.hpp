/// Corpora in HDF5, as the Model Zoo writes them: each file has a data set `data` of integers in one dimension, the tokens
/// of documents one after the other.
#pragma once

#include <string>
#include <vector>

#include "host/data/tokens.hpp"

namespace weft::data {

/// True if a file has such a data set. Throws Refusal if the file cannot be opened.
bool is_hdf5_corpus(const std::string& path);

/// Appends the tokens of files, which stay on disk. A first pass, in a process of its own, reads all of them, checks
/// each against the vocabulary and keeps the CRC-32C of each block, four bytes; later reads compare. Throws Refusal if a
/// file has another format or a token that is not below `vocab`.
void append_hdf5_tokens(const std::vector<std::string>& paths, int vocab, Tokens& tokens);

}  // namespace weft::data
