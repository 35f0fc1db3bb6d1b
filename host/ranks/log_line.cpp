#include "host/ranks/log_line.hpp"

#include <fmt/chrono.h>

#include <ctime>

#include "sw/base/refusal.hpp"

namespace weft::ranks {

std::string log_line(std::string_view text) {
  return fmt::format("{:%H:%M:%S} swarm   {}\n", fmt::localtime(std::time(nullptr)), one_line(text, text.size()));
}

}  // namespace weft::ranks
