/// Lists of nodes as Slurm writes them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// The names in a list, in its order, `most` of them at most: "rack[1-2]n[08,10-11]-ib,m1" has rack1n08-ib first.
/// Empty if the text is no such list.
std::vector<std::string> node_names(std::string_view list, std::size_t most = std::size_t{1} << 16);

}  // namespace weft
