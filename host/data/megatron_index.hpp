/// The index file of a Megatron-LM token file: DATA.idx of DATA.bin.
#pragma once

#include <string>

namespace weft::data {

/// Checks the index of the token file DATA.bin, which has no header; with uint16 tokens it is a headerless shard.
/// Throws Refusal that names `file` if its index exists and specifies another type.
void check_megatron_index(const std::string& file);

}  // namespace weft::data
