#include "weft/version.hpp"

#include "host/system/version.hpp"

namespace weft {
inline namespace v0 {

std::string version() { return system::version_text(); }

}  // namespace v0
}  // namespace weft
