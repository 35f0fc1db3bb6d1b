#include "host/swarmx/link.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <utility>

#include "host/swarmx/payload.hpp"

namespace weft {
namespace {

constexpr auto kResult = asio::as_tuple(asio::use_awaitable);
constexpr std::size_t kEarly = 65536;  // bytes

[[noreturn]] void lost(const std::string& peer, const boost::system::error_code& error) {
  const bool closed = error == asio::error::eof || error == asio::error::connection_reset ||
                      error == asio::error::broken_pipe || error == asio::error::operation_aborted;
  throw PeerLost(peer + (closed ? " closed its connection" : " is lost: " + error.message()) +
                 ". HINT: look for why it ended; the run goes on from its last checkpoint.");
}

}  // namespace

Link::Link(tcp::socket socket, std::string peer) : socket_(std::move(socket)), peer_(std::move(peer)) {
  boost::system::error_code ignored;
  socket_.set_option(tcp::no_delay(true), ignored);
  // A machine that vanishes without a word is noticed by the kernel, as a wafer may rightly compute for long.
  socket_.set_option(asio::socket_base::keep_alive(true), ignored);
#if defined(__linux__)
  using asio::detail::socket_option::integer;
  socket_.set_option(integer<IPPROTO_TCP, TCP_KEEPIDLE>(10), ignored);  // seconds
  socket_.set_option(integer<IPPROTO_TCP, TCP_KEEPINTVL>(5), ignored);  // seconds
  socket_.set_option(integer<IPPROTO_TCP, TCP_KEEPCNT>(3), ignored);
#endif
}

/// Fills `bytes` with the next ones. Small pieces come many at once from the kernel.
asio::awaitable<boost::system::error_code> Link::fill(std::span<std::uint8_t> bytes) {
  const std::size_t here = std::min(bytes.size(), end_ - begin_);
  std::copy_n(early_.begin() + static_cast<std::ptrdiff_t>(begin_), here, bytes.begin());
  begin_ += here;
  bytes = bytes.subspan(here);
  if (bytes.empty()) co_return boost::system::error_code();
  if (bytes.size() >= kEarly) {
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

asio::awaitable<Frame> Link::read() {
  HeaderBytes bytes{};
  if (const auto error = co_await fill(bytes)) lost(peer_, error);
  const Header header = decode_header(bytes, peer_.c_str());
  Bytes payload(header.length);
  if (const auto error = co_await fill(payload)) lost(peer_, error);
  co_return with_payload(header, std::move(payload), peer_.c_str());
}

asio::awaitable<void> Link::write(const Frame& frame) {
  const HeaderBytes header = encode_header(frame);
  const auto payload = frame.bytes();
  const std::array<asio::const_buffer, 2> buffers{asio::buffer(header), asio::buffer(payload.data(), payload.size())};
  auto [error, size] = co_await asio::async_write(socket_, buffers, kResult);
  if (error) lost(peer_, error);
}

asio::awaitable<void> Link::drain() {
  std::array<std::uint8_t, 4096> waste{};
  for (;;) {
    auto [error, size] = co_await socket_.async_read_some(asio::buffer(waste), kResult);
    if (error) co_return;
  }
}

asio::awaitable<std::string> Link::read_name() {
  const Frame frame = co_await read();
  if (frame.type != FrameType::Hello) throw CorruptFrame(peer_ + " does not say its name");
  co_return decode_text(frame.bytes());
}

void Link::close() {
  boost::system::error_code ignored;
  socket_.close(ignored);
}

asio::awaitable<Link> connect(tcp::endpoint to, std::string peer, std::string name) {
  tcp::socket socket(co_await asio::this_coro::executor);
  auto [error] = co_await socket.async_connect(to, kResult);
  if (error) throw PeerLost("no connection to " + peer + ": " + error.message() + ". HINT: start it first.");
  Link link(std::move(socket), std::move(peer));
  Frame hello{.type = FrameType::Hello};
  co_await link.write(hello.carry(encode_text(name)));
  co_return link;
}

}  // namespace weft
