#include "host/text/shards/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

namespace weft::text {

Progress::Progress(std::string name, std::ostream& out, bool terminal)
    : name_(std::move(name)), out_(out), terminal_(terminal) {}

Progress::~Progress() {
  if (terminal_ && shown_) out_ << "\r\x1b[K" << std::flush;
}

void Progress::show(std::uint64_t done, std::uint64_t all, std::uint64_t bytes) {
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + (terminal_ ? std::chrono::milliseconds(200) : std::chrono::milliseconds(10'000));
  const double seconds = std::chrono::duration<double>(now - begin_).count();
  const double part = all == 0 ? 0 : std::min(1.0, static_cast<double>(done) / static_cast<double>(all));
  const double left = part > 0 ? seconds * (1 - part) / part : 0;
  out_ << fmt::format("{}{}  {:.0f} %, {:.1f} MB, {:.1f} MB/s, {:.0f} s left{}", terminal_ ? "\r" : "", name_,
                      100 * part, 1e-6 * static_cast<double>(bytes), 1e-6 * static_cast<double>(bytes) / seconds, left,
                      terminal_ ? "\x1b[K" : "\n")
       << std::flush;
  shown_ = true;
}

}  // namespace weft::text
