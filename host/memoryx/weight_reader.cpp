#include "host/memoryx/weight_reader.hpp"

namespace weft {

WeightReader::WeightReader(const MemoryX& memoryx)
    : memoryx_(memoryx), pinned_(memoryx.pages(), ParameterStore::kStreamed, Pages::Use::Read, MemoryX::kAhead) {}

}  // namespace weft
