/// Counts the words of a corpus, for training a BPE.
#pragma once

#include <functional>
#include <string>

#include "host/tokenizer/shards/parts.hpp"
#include "host/tokenizer/train_bpe.hpp"

namespace weft::tokenizer {

/// Counts words as kGpt2Pattern splits the documents. `progress` as in make_shards. Throws Refusal as make_shards.
WordCounts count_words(Parts& parts, const std::string& field, int threads,
                       const std::function<void(std::uint64_t, std::uint64_t)>& progress);

}  // namespace weft::tokenizer
