#include "host/appliance/compile_plan.hpp"

#include <fmt/format.h>

#include <ostream>

namespace weft {

Plan compile_plan(const Config& config, const Mask& mask, std::ostream& out) {
  try {
    return compile(config.model, config.wafer, mask);
  } catch (const CompileError& e) {
    const std::string what = e.what();
    const std::size_t end = what.find('\n');
    if (end != std::string::npos) out << what.substr(end + 1) << std::flush;
    throw ConfigError(fmt::format("{}: {}", config.file, what.substr(0, end)));
  }
}

}  // namespace weft
