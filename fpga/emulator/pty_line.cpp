#include "fpga/emulator/pty_line.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace weft::emulator {
namespace {

constexpr std::size_t kMost = 1 << 16;  // waiting for the host; and of noise without an end of frame

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

}  // namespace

PtyLine::PtyLine() : master_(::posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)) {
  if (master_ < 0 || ::grantpt(master_) != 0 || ::unlockpt(master_) != 0) fail("no pseudo-terminal");
  name_ = ::ptsname(master_);
  slave_ = ::open(name_.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);
  termios settings{};
  if (slave_ < 0 || ::tcgetattr(slave_, &settings) != 0) fail(name_.c_str());
  ::cfmakeraw(&settings);
  if (::tcsetattr(slave_, TCSANOW, &settings) != 0) fail(name_.c_str());
}

PtyLine::~PtyLine() {
  ::close(slave_);
  ::close(master_);
}

std::vector<Piece> PtyLine::read() {
  std::uint8_t bytes[4096];
  const ssize_t n = ::read(master_, bytes, sizeof bytes);
  std::vector<Piece> pieces;
  for (ssize_t i = 0; i < n; ++i) {
    in_.push_back(bytes[i]);
    if (bytes[i] == 0 || in_.size() == kMost) pieces.push_back({std::exchange(in_, {}), 0});
  }
  flush();
  return pieces;
}

void PtyLine::write(const Piece& piece) {
  if (out_.size() + piece.bytes.size() <= kMost) out_.insert(out_.end(), piece.bytes.begin(), piece.bytes.end());
  flush();
}

void PtyLine::flush() {
  const ssize_t n = out_.empty() ? 0 : ::write(master_, out_.data(), out_.size());
  if (n > 0) out_.erase(out_.begin(), out_.begin() + n);
}

}  // namespace weft::emulator
