/// Latency of serial adapters: the time for which an adapter holds a short answer back.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace weft::board {

/// Result of a request for low latency.
enum class LowLatency : std::uint8_t {
  Set,          ///< the driver has taken ASYNC_LOW_LATENCY
  WasSet,       ///< it had it
  Unsupported,  ///< the driver has no such setting, as a pseudo-terminal
  Denied,       ///< the driver has it, and refuses to set it
};

/// Asks the driver of the serial device `fd` for ASYNC_LOW_LATENCY (TIOCSSERIAL). FTDI's adapters then send what they
/// have after 1 ms, by default after 16. Harmless where the driver has no such setting.
LowLatency ask_low_latency(int fd);

/// The adapter's timer in ms, as its driver reports it below `sysfs` ("/sys"); nothing if the device has none.
/// `device`: e.g. "/dev/ttyUSB0", or a link to it.
std::optional<int> latency_timer(const std::filesystem::path& sysfs, const std::filesystem::path& device);

/// "low latency, timer 1 ms"; empty where there is neither.
std::string latency_text(LowLatency low, std::optional<int> timer);

}  // namespace weft::board
