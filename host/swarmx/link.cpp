#include "host/swarmx/link.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <cstdio>
#include <optional>
#include <utility>

#include "host/swarmx/deadline.hpp"

namespace weft {
namespace {

constexpr std::size_t kEarly = 65536;  // bytes

std::string silence_text(const std::string& peer, const char* what, std::chrono::milliseconds time) {
  return peer + " " + what + " for " + seconds(time) +
         ". HINT: look whether it was stopped, and for the network between.";
}

}  // namespace

Link::Link(std::unique_ptr<Channel> channel, std::string peer, std::chrono::milliseconds silence, Hands hands)
    : channel_(std::move(channel)), peer_(std::move(peer)), silence_(silence), hands_(std::move(hands)) {}

/// Fills `bytes` with the next ones. Small pieces come many at once from the kernel.
asio::awaitable<boost::system::error_code> Link::fill(std::span<std::uint8_t> bytes) {
  const std::size_t here = std::min(bytes.size(), end_ - begin_);
  std::copy_n(early_.begin() + static_cast<std::ptrdiff_t>(begin_), here, bytes.begin());
  begin_ += here;
  bytes = bytes.subspan(here);
  if (bytes.empty()) co_return boost::system::error_code();
  // A header that is taken makes room for a payload.
  if (hands_.in || large_ || bytes.size() >= kEarly) co_return (co_await channel_->read(bytes, bytes.size())).error;
  early_.resize(kEarly);
  const auto [error, size] = co_await channel_->read(early_, bytes.size());
  begin_ = end_ = 0;
  if (error) co_return error;
  std::copy_n(early_.begin(), bytes.size(), bytes.begin());
  begin_ = bytes.size(), end_ = size;
  co_return error;
}

asio::awaitable<Frame> Link::next() {
  HeaderBytes bytes{};
  if (const auto error = co_await fill(bytes)) fail(error);
  const Header header = decode_header(bytes, peer_.c_str());
  if (hands_.in) {
    traffic_->came(header);
    co_return hands_.in->take(header);
  }
  large_ = header.length >= kEarly;
  Bytes payload(header.length);
  if (const auto error = co_await fill(payload)) fail(error);
  traffic_->came(header);
  co_return with_payload(header, std::move(payload), peer_.c_str());
}

asio::awaitable<Frame> Link::read() {
  if (!remote()) co_return co_await next();
  for (;;) {
    auto reading = next();
    std::optional<Frame> frame = co_await within(silence_, std::move(reading));
    if (!frame) silent(peer_, "has said nothing", silence_);
    if (frame->type != FrameType::Alive) co_return std::move(*frame);
  }
}

asio::awaitable<boost::system::error_code> Link::write_some(const HeaderBytes& header,
                                                            std::span<const std::uint8_t> payload) {
  const std::array<asio::const_buffer, 2> buffers{asio::buffer(header), asio::buffer(payload.data(), payload.size())};
  const auto error = co_await channel_->write(buffers);
  if (error == asio::error::operation_aborted) throw boost::system::system_error(error);  // too late
  co_return error;
}

asio::awaitable<void> Link::write(const Frame& frame) {
  const HeaderBytes header = encode_header(frame);
  if (hands_.out && frame.payload) hands_.out->push(frame.payload);
  auto writing = write_some(header, hands_.out ? std::span<const std::uint8_t>() : frame.bytes());
  traffic_->went(frame.bytes().size());
  if (!remote()) {
    if (const auto error = co_await std::move(writing)) lost(peer_, error);
    co_return;
  }
  const auto error = co_await within(kPatience * silence_, std::move(writing));
  if (!error) {
    close(silence_text(peer_, "has taken nothing", kPatience * silence_));  // it may still say Alive
    throw PeerLost(why_);
  }
  if (*error) lost(peer_, *error);
}

void Link::fail(const boost::system::error_code& error) const {
  if (!why_.empty()) throw PeerLost(why_);
  lost(peer_, error);
}

void Link::close() noexcept { channel_->close(); }

void Link::close(const std::string& why) {
  if (why_.empty()) why_ = why;
  close();
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
                 ". HINT: look for why it ended.");
}

void silent(const std::string& peer, const char* what, std::chrono::milliseconds time) {
  throw PeerLost(silence_text(peer, what, time));
}

}  // namespace weft
