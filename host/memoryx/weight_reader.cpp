#include "host/memoryx/weight_reader.hpp"

namespace weft::memoryx {

WeightReader::WeightReader(const MemoryX& memoryx)
    : memoryx_(memoryx),
      pinned_(memoryx.pages(), ParameterStore::kStreamed, Pages::Use::Read, MemoryX::kPrefetchPages) {}

}  // namespace weft::memoryx
