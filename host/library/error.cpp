#include "weft/error.hpp"

#include <utility>

namespace weft {
inline namespace v0 {

Error::Error(const std::string& text, Parts parts) : std::runtime_error(text), parts_(std::move(parts)) {}

Error::~Error() = default;

}  // namespace v0
}  // namespace weft
