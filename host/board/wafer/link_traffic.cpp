#include "host/board/wafer/link_traffic.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace weft::board {

std::string LinkTraffic::text() const {
  if (down == 0) return {};
  const double batches = static_cast<double>(std::max<std::uint64_t>(micro_batches, 1));
  const auto kb = [&](std::uint64_t bytes) { return static_cast<double>(bytes) / 1000 / batches; };
  return fmt::format(
      "link    {} bytes down, {} up, {} frames, {} of them resent, {} received damaged; per micro-batch "
      "{:.1f} KB down, {:.1f} up, of which the stream is {:.1f} and {:.1f}\n",
      down.load(), up.load(), frames.load(), again.load(), damaged.load(), kb(down), kb(up), kb(stream_down),
      kb(stream_up));
}

}  // namespace weft::board
