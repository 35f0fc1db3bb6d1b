#include "host/memoryx/weight_reader.hpp"

namespace weft {

WeightReader::WeightReader(const MemoryX& memoryx)
    : memoryx_(memoryx), held_(memoryx.pieces(), ParameterStore::kStreamed, Pieces::Use::Read, MemoryX::kAhead) {}

}  // namespace weft
