#include <fmt/format.h>

#include "host/inspect/bisect/describe.hpp"

namespace weft::inspect::bisect {

std::string element_name(const std::string& tensor, const std::vector<int>& dims, std::uint64_t element) {
  std::string place;
  for (std::size_t d = dims.size(); d-- > 0;) {
    const auto n = static_cast<std::uint64_t>(dims[d]);
    place = fmt::format("[{}]", element % n) + place;
    element /= n;
  }
  return tensor + place;
}

}  // namespace weft::inspect::bisect
