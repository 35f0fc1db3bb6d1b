/// Collectives: kernels that the tiles of a region compute together (docs/reference/programs.md, Collectives).
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "host/programs/layout.hpp"

namespace weft::programs {

/// The streams that collectives with resolved regions need: shifts named weft_east, weft_west, weft_south and
/// weft_north. Throws Refusal if the regions differ.
std::vector<Stream> collective_streams(std::span<const Collective> collectives);

/// Elements of an array of the program, which must be one of fp32. Throws Refusal for another one.
using ElementsOf = std::function<int(const std::string& array)>;

/// The text of a kernel of the collective's name, and of its routine for psum, NAME_psum. `region`: its resolved
/// region; `lanes`: of a tile. Throws Refusal for arrays whose sizes do not fit, and for roots outside of the region.
std::string collective_text(const Collective& collective, const Region& region, int lanes,
                            const ElementsOf& elements_of);

}  // namespace weft::programs
