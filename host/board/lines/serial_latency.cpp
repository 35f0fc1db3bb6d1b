#include "host/board/lines/serial_latency.hpp"

#include <fmt/format.h>
#include <linux/serial.h>
#include <sys/ioctl.h>

#include <fstream>

namespace weft::board {

LowLatency ask_low_latency(int fd) {
  serial_struct serial{};
  if (::ioctl(fd, TIOCGSERIAL, &serial) != 0) return LowLatency::Unsupported;
  if ((serial.flags & ASYNC_LOW_LATENCY) != 0) return LowLatency::WasSet;
  serial.flags |= ASYNC_LOW_LATENCY;
  if (::ioctl(fd, TIOCSSERIAL, &serial) != 0) return LowLatency::Denied;
  // A driver that does not know the flag may accept and drop it.
  if (::ioctl(fd, TIOCGSERIAL, &serial) != 0 || (serial.flags & ASYNC_LOW_LATENCY) == 0) return LowLatency::Unsupported;
  return LowLatency::Set;
}

std::optional<int> latency_timer(const std::filesystem::path& sysfs, const std::filesystem::path& device) {
  std::error_code error;
  for (const auto& path : {device, std::filesystem::canonical(device, error)}) {
    std::ifstream in(sysfs / "bus/usb-serial/devices" / path.filename() / "latency_timer");
    if (int ms = 0; in >> ms) return ms;
  }
  return {};
}

std::string latency_text(LowLatency low, std::optional<int> timer) {
  std::string text;
  switch (low) {
    case LowLatency::Set:
    case LowLatency::WasSet:
      text = "low latency";
      break;
    case LowLatency::Denied:
      text = "low latency denied by the driver";
      break;
    case LowLatency::Unsupported:
      break;
  }
  if (timer) text += fmt::format("{}latency timer {} ms", text.empty() ? "" : ", ", *timer);
  return text;
}

}  // namespace weft::board
