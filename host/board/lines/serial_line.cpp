#include "host/board/lines/serial_line.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/ioctl.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "host/board/devices/open_refusal.hpp"
#include "host/board/lines/poll_line.hpp"
#include "host/board/lines/serial_latency.hpp"
#include "host/board/lines/serial_settings.hpp"

namespace weft::board {

SerialLine::SerialLine(const std::string& path, int baud)
    : path_(path), fd_(::open(path.c_str(), O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)) {
  if (fd_.get() < 0) throw open_refusal(path, errno);
  // TIOCEXCL keeps other processes out, except root and those that opened the device before. The lock also excludes
  // these, if they use it.
  if (::flock(fd_.get(), LOCK_EX | LOCK_NB) != 0) throw open_refusal(path, EBUSY);
  set_serial(fd_.get(), path, baud);
  if (::ioctl(fd_.get(), TIOCEXCL) != 0) throw open_refusal(path, errno);
  const LowLatency low = ask_low_latency(fd_.get());
  latency_ = latency_timer("/sys", path);
  settings_ = fmt::format("{} baud", baud);
  if (const std::string text = latency_text(low, latency_); !text.empty()) settings_ += ", " + text;
  ::ioctl(fd_.get(), TCFLSH, 2);  // TCIOFLUSH: discards both directions
}

SerialLine::~SerialLine() {
  ::ioctl(fd_.get(), TIOCNXCL);  // another process that has the device open would preserve the flag
}

void SerialLine::send(std::span<const std::uint8_t> frame) {
  const std::size_t before = out_.size();
  stuff(frame, out_);
  down_ += out_.size() - before;
  write_some();
}

bool SerialLine::receive(Bytes& frame, Time until) {
  for (;;) {
    if (take(frame)) return true;
    const bool was_ready = ready();
    const Time time = now();
    const short events = wait_for(fd_.get(), written_ < out_.size(), time, until);
    if ((events & POLLOUT) != 0) write_some();
    if ((events & POLLIN) != 0) {
      read_some();
    } else if ((events & (POLLERR | POLLHUP | POLLNVAL)) != 0) {
      throw LineGone("the line was disconnected");
    }
    if (take(frame)) return true;
    if (!was_ready && ready()) return false;
    if (now() >= until) return false;
  }
}

bool SerialLine::take(Bytes& frame) {
  while (read_ < in_.size()) {
    if (!unstuffer_.push(in_[read_++])) continue;
    frame = unstuffer_.frame();
    return true;
  }
  broken_frames_ = unstuffer_.broken_frames();
  in_.clear();
  read_ = 0;
  return false;
}

void SerialLine::read_some() {
  std::array<std::uint8_t, 4096> some;
  const ssize_t count = ::read(fd_.get(), some.data(), some.size());
  if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) throw LineGone("the line was disconnected");
  if (count < 0) return;
  up_ += static_cast<std::uint64_t>(count);
  in_.insert(in_.end(), some.begin(), some.begin() + count);
}

void SerialLine::write_some() {
  while (written_ < out_.size()) {
    const ssize_t count = ::write(fd_.get(), out_.data() + written_, out_.size() - written_);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) throw LineGone(std::string("the line was disconnected: ") + std::strerror(errno));
    written_ += static_cast<std::size_t>(count);
  }
  out_.clear();
  written_ = 0;
}

}  // namespace weft::board
