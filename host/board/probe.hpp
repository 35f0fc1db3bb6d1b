/// Probes of a line: the board's ABOUT, its baud rate, its round-trip time.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/board/about.hpp"
#include "host/board/line.hpp"
#include "host/board/session.hpp"

namespace weft::board {

/// Answer to HELLO. Neither `about` nor `version`: no board has answered.
struct Answer {
  std::optional<About> about;
  std::optional<int> version;  ///< of a link that this program does not speak
  std::uint64_t bytes = 0;     ///< that came up, frames or not
};

/// Sends HELLO until an ABOUT comes, `patience` at most, and ends that session. A session of another host continues.
Answer ask_about(Line& line, Duration patience);

/// Rates that boards are made for and adapters can do, the likeliest first.
const std::vector<int>& usual_rates();

/// The usual rate at which a board answers at the serial device `path`, other than `tried`; nothing if at none. Throws
/// Refusal, as SerialLine does.
std::optional<int> find_rate(const std::string& path, int tried);

/// The median time from a POLL to its STATUS, of so many. Throws BoardLost.
Duration round_trip(Session& session, int times);

}  // namespace weft::board
