/// The index next to a token file of Megatron-LM: DATA.idx of DATA.bin.
#pragma once

#include <string>

namespace weft {

/// DATA.bin has tokens and nothing else; tokens of uint16 are a headerless shard. Throws Refusal that names `file` if
/// it has an index that names another type.
void check_megatron_index(const std::string& file);

}  // namespace weft
