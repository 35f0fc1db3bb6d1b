/// Latency of serial adapters: the time for which an adapter delays a short answer.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace weft::board {

/// Result of a request for low latency.
enum class LowLatency : std::uint8_t {
  Set,          ///< the driver has accepted ASYNC_LOW_LATENCY
  WasSet,       ///< the flag was set before
  Unsupported,  ///< the driver has no such setting, e.g. a pseudo-terminal
  Denied,       ///< the driver has the setting but does not permit it
};

/// Requests ASYNC_LOW_LATENCY (TIOCSSERIAL) from the driver of the serial device `fd`. FTDI adapters then send pending
/// bytes after 1 ms instead of 16. Harmless if the driver has no such setting.
LowLatency ask_low_latency(int fd);

/// Latency timer of the adapter in ms, as its driver reports it below `sysfs` ("/sys"); nullopt if the device has none.
/// `device`: e.g. "/dev/ttyUSB0", or a link to it.
std::optional<int> latency_timer(const std::filesystem::path& sysfs, const std::filesystem::path& device);

/// "low latency, timer 1 ms"; empty if neither applies.
std::string latency_text(LowLatency low, std::optional<int> timer);

}  // namespace weft::board
