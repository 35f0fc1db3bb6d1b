#include "host/board/lines/serial_settings.hpp"

// The kernel's termios2 supports any baud rate. The C library's header has the same names, so it must not be included
// here.
#include <asm/ioctls.h>
#include <asm/termbits.h>
#include <fmt/format.h>

#include <cerrno>
#include <cmath>
#include <cstring>

#include "sw/base/refusal.hpp"

extern "C" int ioctl(int fd, unsigned long request, ...) noexcept;

namespace weft::board {
namespace {

constexpr tcflag_t kTranslating = BRKINT | ICRNL | IGNBRK | IGNCR | INLCR | INPCK | ISTRIP | IXOFF | IXON | PARMRK;
constexpr tcflag_t kTalking = ECHO | ECHONL | ICANON | IEXTEN | ISIG;
constexpr tcflag_t kLine = CSIZE | PARENB | CSTOPB | CRTSCTS;
constexpr tcflag_t kSpeed = CBAUD | CBAUD << IBSHIFT;

bool is_raw(const termios2& t) {
  return (t.c_iflag & kTranslating) == 0 && (t.c_oflag & OPOST) == 0 && (t.c_lflag & kTalking) == 0 &&
         (t.c_cflag & kLine) == CS8;
}

termios2 get(int fd, const std::string& path) {
  termios2 t{};
  if (ioctl(fd, TCGETS2, &t) != 0)
    throw Refusal("fpga.device", path + " is not a serial device: " + std::strerror(errno),
                  "name one, e.g. /dev/ttyUSB0, or udp:ADDRESS:PORT");
  return t;
}

}  // namespace

SerialSettings read_settings(int fd) {
  const termios2 t = get(fd, "the device");
  return {static_cast<int>(t.c_ispeed), static_cast<int>(t.c_ospeed), is_raw(t)};
}

void set_serial(int fd, const std::string& path, int baud) {
  termios2 t = get(fd, path);
  t.c_iflag &= ~kTranslating;
  t.c_oflag &= ~static_cast<tcflag_t>(OPOST);
  t.c_lflag &= ~kTalking;
  t.c_cflag &= ~(kLine | kSpeed);
  t.c_cflag |= CS8 | CREAD | CLOCAL | BOTHER | BOTHER << IBSHIFT;
  t.c_ispeed = t.c_ospeed = static_cast<speed_t>(baud);
  t.c_cc[VMIN] = 0;
  t.c_cc[VTIME] = 0;
  if (ioctl(fd, TCSETS2, &t) != 0)
    throw Refusal("fpga.baud", fmt::format("{} cannot be set to {} baud: {}", path, baud, std::strerror(errno)),
                  "use a rate that the board's adapter supports");
  const termios2 now = get(fd, path);
  const double off = std::abs(static_cast<double>(now.c_ospeed) - baud) / baud;
  if (off > 0.02)  // beyond that, the last of a byte's ten bits is missed
    throw Refusal("fpga.baud", fmt::format("{} runs at {} baud instead of {}", path, now.c_ospeed, baud),
                  "use a rate that the board's adapter supports, and a board built for it");
  if (!is_raw(now))
    throw Refusal("fpga.device", path + " does not transfer all bytes unchanged (8N1, no flow control)",
                  "use another adapter");
}

}  // namespace weft::board
