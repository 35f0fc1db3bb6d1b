/// The tables of docs/scaling.md that are estimated, by the name of their place.
#pragma once

#include <map>
#include <string>

namespace weft::bench {

/// Takes seconds.
std::map<std::string, std::string> scaling_sections();

}  // namespace weft::bench
