/// A tokenizer from its files.
#pragma once

#include <memory>
#include <string>

#include "host/text/byte_bpe.hpp"

namespace weft::text {

/// `vocab`: a vocab.json, to which `merges` belongs, or a tokenizer.json, to which none belongs (`merges` is empty).
/// Throws Refusal that names the file, and the line of it if there is one.
std::shared_ptr<const ByteBpe> load_bpe(const std::string& vocab, const std::string& merges);

}  // namespace weft::text
