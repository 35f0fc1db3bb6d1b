#include "host/swarmx/link.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <cstdio>
#include <optional>
#include <utility>

#include "host/swarmx/deadline.hpp"
#include "host/swarmx/payload.hpp"
#include "host/swarmx/round_returns.hpp"
#include "sw/base/refusal.hpp"

namespace weft {
namespace {

constexpr auto kResult = asio::as_tuple(asio::use_awaitable);
constexpr std::size_t kEarly = 65536;  // bytes
constexpr std::size_t kLongestName = 64;

}  // namespace

Link::Link(Socket socket, std::string peer, std::chrono::milliseconds silence, Hands hands)
    : socket_(std::move(socket)), peer_(std::move(peer)), silence_(silence), hands_(std::move(hands)) {
  boost::system::error_code ignored;  // of a socket pair, which never delays
  socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
}

/// Fills `bytes` with the next ones. Small pieces come many at once from the kernel.
asio::awaitable<boost::system::error_code> Link::fill(std::span<std::uint8_t> bytes) {
  const std::size_t here = std::min(bytes.size(), end_ - begin_);
  std::copy_n(early_.begin() + static_cast<std::ptrdiff_t>(begin_), here, bytes.begin());
  begin_ += here;
  bytes = bytes.subspan(here);
  if (bytes.empty()) co_return boost::system::error_code();
  if (hands_.in || bytes.size() >= kEarly) {  // a header that is taken makes room for a payload
    auto [error, size] = co_await asio::async_read(socket_, asio::buffer(bytes.data(), bytes.size()), kResult);
    co_return error;
  }
  early_.resize(kEarly);
  auto [error, size] =
      co_await asio::async_read(socket_, asio::buffer(early_), asio::transfer_at_least(bytes.size()), kResult);
  begin_ = end_ = 0;
  if (error) co_return error;
  std::copy_n(early_.begin(), bytes.size(), bytes.begin());
  begin_ = bytes.size(), end_ = size;
  co_return error;
}

asio::awaitable<Frame> Link::next(std::size_t most) {
  HeaderBytes bytes{};
  if (const auto error = co_await fill(bytes)) lost(peer_, error);
  const Header header = decode_header(bytes, peer_.c_str());
  if (header.length > most) broken(peer_, "sent a frame too long");
  if (hands_.in) co_return hands_.in->take(header);
  Bytes payload(header.length);
  if (const auto error = co_await fill(payload)) lost(peer_, error);
  co_return with_payload(header, std::move(payload), peer_.c_str());
}

asio::awaitable<Frame> Link::hear(std::size_t most) {
  auto reading = next(most);
  std::optional<Frame> frame = co_await within(silence_, std::move(reading));
  if (!frame) silent(peer_, "has said nothing", silence_);
  co_return std::move(*frame);
}

asio::awaitable<Frame> Link::read() {
  if (silence_ == silence_.zero()) co_return co_await next(kMaxPayload);
  for (;;) {
    Frame frame = co_await hear(kMaxPayload);
    if (frame.type != FrameType::Alive) co_return frame;
  }
}

asio::awaitable<void> Link::write(const Frame& frame) {
  const HeaderBytes header = encode_header(frame);
  auto payload = frame.bytes();
  if (hands_.out && frame.payload) {
    hands_.out->push(frame.payload);
    payload = {};
  }
  const std::array<asio::const_buffer, 2> buffers{asio::buffer(header), asio::buffer(payload.data(), payload.size())};
  auto [error, size] = co_await asio::async_write(socket_, buffers, kResult);
  if (error) lost(peer_, error);
}

asio::awaitable<std::string> Link::read_name() {
  const Frame frame = co_await hear(kLongestName);
  if (frame.type != FrameType::Hello) broken(peer_, "does not say its name");
  co_return one_line(decode_text(frame.bytes()));
}

void Link::close() noexcept {
  boost::system::error_code ignored;
  socket_.close(ignored);
}

std::string seconds(std::chrono::milliseconds time) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%g s", std::chrono::duration<double>(time).count());
  return text.data();
}

void lost(const std::string& peer, const boost::system::error_code& error) {
  const bool closed = error == asio::error::eof || error == asio::error::connection_reset ||
                      error == asio::error::broken_pipe || error == asio::error::operation_aborted;
  throw PeerLost(peer + (closed ? " closed its connection" : " is lost: " + error.message()) +
                 ". HINT: look for why it ended; the run goes on from its last checkpoint.");
}

void silent(const std::string& peer, const char* what, std::chrono::milliseconds time) {
  throw PeerLost(peer + " " + what + " for " + seconds(time) +
                 ". HINT: look whether it was stopped, and for the network between; the run goes on from its last "
                 "checkpoint.");
}

}  // namespace weft
