#include "host/swarmx/wire.hpp"

#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/ip/tcp.hpp>
#include <cerrno>
#include <utility>

#include "host/swarmx/error.hpp"
#include "host/swarmx/link.hpp"
#include "host/swarmx/payload.hpp"

namespace weft {
namespace {

constexpr std::size_t kEarly = 65536;  // bytes

boost::system::error_code last_error() { return {errno, boost::system::system_category()}; }

void set_deadlines(int descriptor, std::chrono::milliseconds time) {
  const timeval value{.tv_sec = time.count() / 1000, .tv_usec = time.count() % 1000 * 1000};
  ::setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &value, sizeof value);
  ::setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &value, sizeof value);  // of connect, too
}

}  // namespace

Wire::Wire(int descriptor, std::string peer, std::chrono::milliseconds silence, Hands hands)
    : descriptor_(descriptor), peer_(std::move(peer)), silence_(silence), hands_(std::move(hands)) {
  if (silence != silence.zero()) set_deadlines(descriptor, silence);
}

Wire::~Wire() { ::close(descriptor_); }

/// Some bytes, at least one.
std::size_t Wire::receive(std::span<std::uint8_t> into) {
  for (;;) {
    const ssize_t size = ::recv(descriptor_, into.data(), into.size(), 0);
    if (size > 0) return static_cast<std::size_t>(size);
    if (size == 0) lost(peer_, asio::error::eof);
    if (errno == EAGAIN || errno == EWOULDBLOCK) silent(peer_, "has said nothing", silence_);
    if (errno != EINTR) lost(peer_, last_error());
  }
}

/// Fills `bytes` with the next ones. Small pieces come many at once from the kernel.
void Wire::fill(std::span<std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const std::size_t room = hands_.in ? kHeaderBytes : kEarly;  // a header that is taken makes room for a payload
    if (begin_ == end_ && bytes.size() >= room) {
      bytes = bytes.subspan(receive(bytes));
      continue;
    }
    if (begin_ == end_) {
      early_.resize(room);
      begin_ = end_ = 0;
      end_ = receive(early_);
    }
    const std::size_t here = std::min(bytes.size(), end_ - begin_);
    std::copy_n(early_.begin() + static_cast<std::ptrdiff_t>(begin_), here, bytes.begin());
    begin_ += here;
    bytes = bytes.subspan(here);
  }
}

Frame Wire::read() {
  for (;;) {
    HeaderBytes bytes{};
    fill(bytes);
    const Header header = decode_header(bytes, peer_.c_str());
    if (hands_.in) return hands_.in->take(header);
    Bytes payload(header.length);
    fill(payload);
    Frame frame = with_payload(header, std::move(payload), peer_.c_str());
    if (frame.type != FrameType::Alive) return frame;
  }
}

void Wire::write(const Frame& frame) {
  const std::lock_guard lock(writing_);
  send(frame);
}

void Wire::say_alive() {
  const std::unique_lock lock(writing_, std::try_to_lock);
  if (lock) send({.type = FrameType::Alive});
}

void Wire::send(const Frame& frame) {
  if (cut_) lost(peer_, asio::error::broken_pipe);
  HeaderBytes header = encode_header(frame);
  auto payload = frame.bytes();
  if (hands_.out && frame.payload) {
    hands_.out->push(frame.payload);
    payload = {};
  }
  std::array<iovec, 2> parts{{{header.data(), header.size()},
                              {const_cast<std::uint8_t*>(payload.data()), payload.size()}}};  // sendmsg writes nothing
  msghdr message{};
  message.msg_iov = parts.data();
  message.msg_iovlen = parts.size();
  cut_ = true;
  for (std::size_t left = header.size() + payload.size(); left > 0;) {
    const ssize_t size = ::sendmsg(descriptor_, &message, MSG_NOSIGNAL);
    if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) silent(peer_, "has taken nothing", silence_);
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
  cut_ = false;
}

void Wire::drain() noexcept {
  std::array<std::uint8_t, 4096> waste;
  for (;;) {
    const ssize_t size = ::recv(descriptor_, waste.data(), waste.size(), 0);
    if (size == 0 || (size < 0 && errno != EINTR)) return;
  }
}

std::unique_ptr<Wire> connect(const std::string& address, std::uint16_t port, const std::string& peer,
                              const std::string& name, std::chrono::milliseconds silence) {
  boost::system::error_code error;
  const asio::ip::tcp::endpoint to(asio::ip::make_address(address, error), port);
  const auto refuse = [&](const boost::system::error_code& why) {
    throw PeerLost("no connection to " + peer + " at " + address + ":" + std::to_string(port) + ": " + why.message() +
                   ". HINT: start it first.");
  };
  if (error) refuse(error);
  const int descriptor = ::socket(to.protocol().family(), SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) refuse(last_error());
  auto wire = std::make_unique<Wire>(descriptor, peer, silence);
  const int on = 1;
  ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (::connect(descriptor, to.data(), static_cast<socklen_t>(to.size())) != 0) {
    refuse(errno == EINPROGRESS ? asio::error::make_error_code(asio::error::timed_out) : last_error());
  }
  Frame hello{.type = FrameType::Hello};
  wire->write(hello.carry(encode_text(name)));
  return wire;
}

}  // namespace weft
