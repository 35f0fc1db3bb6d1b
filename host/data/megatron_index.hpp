/// The index next to a token file of Megatron-LM: DATA.idx of DATA.bin.
#pragma once

#include <string>

namespace weft {

/// Nothing if `file` has no such index. DATA.bin has tokens and nothing else, as uint16 a headerless shard. Throws
/// Refusal that names `file` if the index says that they are of another type.
void check_megatron_index(const std::string& file);

}  // namespace weft
