/// Probes a line: the board's ABOUT, its baud rate, its round-trip time.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/board/link/device_info.hpp"
#include "host/board/link/line.hpp"
#include "host/board/link/session.hpp"

namespace weft::board {

/// Answer to HELLO. If neither `about` nor `version` is set, no board has answered.
struct Answer {
  std::optional<DeviceInfo> info;
  std::optional<int> version;  ///< version of a protocol that this program does not support
  std::uint64_t bytes = 0;     ///< bytes received, whether frames or not
};

/// Sends HELLO until an ABOUT arrives, for at most `patience`, and ends that session. A session of another host
/// continues.
Answer request_device_info(Line& line, Duration patience);

/// Rates for which boards are built and which adapters support, the likeliest first.
const std::vector<int>& usual_rates();

/// The usual rate, other than `tried`, at which a board answers at the serial device `path`; nullopt if there is none.
/// Throws Refusal, as SerialLine does.
std::optional<int> find_rate(const std::string& path, int tried);

/// Median of `times` measurements of the time from a POLL to its STATUS. Throws BoardLost.
Duration round_trip(Session& session, int times);

}  // namespace weft::board
