/// Parses Slurm's lists of nodes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace weft::ranks {

/// Names in a list, in order, at most `most`: "rack[1-2]n[08,10-11]-ib,m1" begins with rack1n08-ib. Empty if the list
/// is malformed.
std::vector<std::string> node_names(std::string_view list, std::size_t most = std::size_t{1} << 16);

}  // namespace weft::ranks
