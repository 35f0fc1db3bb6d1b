#include "host/swarmx/link/wire.hpp"

#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/ip/tcp.hpp>
#include <cerrno>
#include <utility>

#include "host/swarmx/base/error.hpp"
#include "host/swarmx/link/link.hpp"

namespace weft::swarmx {
namespace {

constexpr std::size_t kReadAheadBytes = 65536;  // bytes

boost::system::error_code last_error() { return {errno, boost::system::system_category()}; }

}  // namespace

Wire::Wire(int descriptor, std::string peer, PayloadQueues payloads, ProgressWatchdog* watchdog)
    : descriptor_(descriptor), peer_(std::move(peer)), payloads_(std::move(payloads)), watchdog_(watchdog) {}

Wire::~Wire() { ::close(descriptor_); }

/// Receives some bytes, at least one.
std::size_t Wire::receive(std::span<std::uint8_t> into) {
  for (;;) {
    const ssize_t size = ::recv(descriptor_, into.data(), into.size(), 0);
    if (size > 0) return static_cast<std::size_t>(size);
    if (size == 0) lost(peer_, asio::error::eof);
    if (errno != EINTR) lost(peer_, last_error());
  }
}

/// Fills `bytes` with the next ones. Small pieces are read from the kernel many at a time.
void Wire::fill(std::span<std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const std::size_t room =
        payloads_.in ? kHeaderBytes : kReadAheadBytes;  // each header taken makes room for a payload
    if (begin_ == end_ && bytes.size() >= room) {
      bytes = bytes.subspan(receive(bytes));
      continue;
    }
    if (begin_ == end_) {
      read_ahead_.resize(room);
      begin_ = end_ = 0;
      end_ = receive(read_ahead_);
    }
    const std::size_t here = std::min(bytes.size(), end_ - begin_);
    std::copy_n(read_ahead_.begin() + static_cast<std::ptrdiff_t>(begin_), here, bytes.begin());
    begin_ += here;
    bytes = bytes.subspan(here);
  }
}

Frame Wire::read() {
  const ProgressWatchdog::Reading take(watchdog_);
  HeaderBytes bytes{};
  fill(bytes);
  const Header header = decode_header(bytes, peer_.c_str());
  if (payloads_.in) return payloads_.in->take(header);
  Bytes payload(header.length);
  fill(payload);
  return with_payload(header, std::move(payload), peer_.c_str());
}

void Wire::write(const Frame& frame) {
  const ProgressWatchdog::Sending send(watchdog_);
  HeaderBytes header = encode_header(frame);
  if (payloads_.out && frame.payload) payloads_.out->push(frame.payload);
  const auto payload = payloads_.out ? std::span<const std::uint8_t>() : frame.bytes();
  std::array<iovec, 2> parts{
      {{header.data(), header.size()}, {const_cast<std::uint8_t*>(payload.data()), payload.size()}}};  // not written to
  msghdr message{};
  message.msg_iov = parts.data();
  message.msg_iovlen = parts.size();
  for (std::size_t left = header.size() + payload.size(); left > 0;) {
    const ssize_t size = ::sendmsg(descriptor_, &message, MSG_NOSIGNAL);
    if (size < 0 && errno != EINTR) lost(peer_, last_error());
    auto sent = static_cast<std::size_t>(std::max<ssize_t>(size, 0));
    left -= sent;
    for (iovec& part : parts) {
      const std::size_t here = std::min(sent, part.iov_len);
      part.iov_base = static_cast<std::uint8_t*>(part.iov_base) + here;
      part.iov_len -= here;
      sent -= here;
    }
  }
}

}  // namespace weft::swarmx
