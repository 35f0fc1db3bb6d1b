/// Version of the library.
#pragma once

#include <string>

#include "weft/export.hpp"

namespace weft {
inline namespace v0 {

/// "weft 0.1.0, commit be6366a0c1d2, RTL of 4 lanes, with HDF5, PCRE2", as `weft --version` prints it.
WEFT_API std::string version();

}  // namespace v0
}  // namespace weft
