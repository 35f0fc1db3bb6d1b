#include "host/swarmx/link/link.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cstdio>
#include <utility>

namespace weft::swarmx {
namespace {

constexpr std::size_t kReadAhead = 65536;  // bytes

std::string silence_text(const std::string& peer, const char* what, std::chrono::milliseconds time) {
  return peer + " " + what + " for " + seconds(time) +
         ". HINT: check if the process was stopped, and the network in between.";
}

}  // namespace

Link::Link(std::unique_ptr<Channel> channel, std::string peer, std::chrono::milliseconds silence,
           PayloadQueues payloads)
    : connection_(std::make_shared<Connection>(std::move(channel))),
      peer_(std::move(peer)),
      silence_(silence),
      payloads_(std::move(payloads)) {
  if (!remote()) return;
  const auto ends = [weak = std::weak_ptr(connection_)](const std::string& why) {
    return std::make_shared<LazyDeadline>([weak, why] {
      if (const auto connection = weak.lock()) connection->close(why);
    });
  };
  connection_->reads = ends(silence_text(peer_, "has sent nothing", silence_));
  connection_->writes =
      ends(silence_text(peer_, "has accepted nothing", kPatience * silence_));  // heartbeats may arrive
}

/// Fills `bytes` with the next ones. Small pieces are read from the kernel many at a time.
asio::awaitable<boost::system::error_code> Link::fill(std::span<std::uint8_t> bytes) {
  const std::size_t here = std::min(bytes.size(), end_ - begin_);
  std::copy_n(read_ahead_.begin() + static_cast<std::ptrdiff_t>(begin_), here, bytes.begin());
  begin_ += here;
  bytes = bytes.subspan(here);
  if (bytes.empty()) co_return boost::system::error_code();
  // No read-ahead within a process: each header that is taken makes room for a payload.
  if (payloads_.in || large_ || bytes.size() >= kReadAhead)
    co_return (co_await connection_->channel->read(bytes, bytes.size())).error;
  read_ahead_.resize(kReadAhead);
  const auto [error, size] = co_await connection_->channel->read(read_ahead_, bytes.size());
  begin_ = end_ = 0;
  if (error) co_return error;
  std::copy_n(read_ahead_.begin(), bytes.size(), bytes.begin());
  begin_ = bytes.size(), end_ = size;
  co_return error;
}

asio::awaitable<Frame> Link::next() {
  HeaderBytes bytes{};
  if (const auto error = co_await fill(bytes)) fail(error);
  const Header header = decode_header(bytes, peer_.c_str());
  traffic_->receiving = true;
  if (payloads_.in) {
    traffic_->count_received(header);
    traffic_->receiving = false;
    co_return payloads_.in->take(header);
  }
  large_ = header.length >= kReadAhead;
  Bytes payload(header.length);
  if (const auto error = co_await fill(payload)) fail(error);
  traffic_->count_received(header);
  traffic_->receiving = false;
  co_return with_payload(header, std::move(payload), peer_.c_str());
}

asio::awaitable<Frame> Link::read() {
  if (!remote()) co_return co_await next();
  const auto executor = co_await asio::this_coro::executor;
  try {
    for (;;) {
      connection_->reads->begin(executor, silence_);
      Frame frame = co_await next();
      connection_->reads->end();
      traffic_->hear();
      if (frame.type != FrameType::Alive) co_return frame;
      if (frame.contains == 1) traffic_->load = Load{.busy = frame.op, .ran = frame.part, .known = true}.encoded();
    }
  } catch (...) {
    done_reading();
    throw;
  }
}

void Link::done_reading() const {
  if (connection_->reads) connection_->reads->cancel();
}

void Link::done_writing() const {
  if (connection_->writes) connection_->writes->cancel();
}

asio::awaitable<void> Link::write(std::span<const Frame> frames) {
  std::vector<HeaderBytes> headers(frames.size());
  std::vector<asio::const_buffer> buffers;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const Frame& frame = frames[i];
    headers[i] = encode_header(frame);
    buffers.push_back(asio::buffer(headers[i]));
    if (payloads_.out && frame.payload) payloads_.out->push(frame.payload);
    if (!payloads_.out) buffers.push_back(asio::buffer(frame.bytes().data(), frame.bytes().size()));
  }
  const auto sent = [&] {  // the socket has taken them
    for (const Frame& frame : frames) traffic_->count_sent(frame.bytes().size());
  };
  if (!remote()) {
    if (const auto error = co_await connection_->channel->write(buffers)) fail(error);
    co_return sent();
  }
  connection_->writes->begin(co_await asio::this_coro::executor, kPatience * silence_);
  try {
    if (const auto error = co_await connection_->channel->write(buffers)) fail(error);
  } catch (...) {
    done_writing();
    throw;
  }
  connection_->writes->end();
  sent();
}

asio::awaitable<bool> Link::wait_while(std::function<bool()> waits) {
  using Clock = std::chrono::steady_clock;
  asio::steady_timer timer(co_await asio::this_coro::executor);
  try {
    for (Clock::time_point alive = Clock::now(); waits();) {
      if (Clock::now() >= alive) {
        co_await write({.type = FrameType::Alive});
        alive = Clock::now() + heartbeat_interval();
      }
      timer.expires_after(kPollInterval);
      co_await timer.async_wait(asio::use_awaitable);
    }
  } catch (const PeerLost&) {
    co_return false;
  }
  co_return true;
}

void Link::fail(const boost::system::error_code& error) const {
  if (!connection_->why.empty()) throw PeerLost(connection_->why);
  lost(peer_, error);
}

void Link::Connection::close() noexcept {
  channel->close();
  if (reads) reads->cancel();
  if (writes) writes->cancel();
}

void Link::Connection::close(const std::string& reason) {
  if (why.empty()) why = reason;
  close();
}

void Link::close() noexcept { connection_->close(); }

void Link::close(const std::string& why) { connection_->close(why); }

std::string seconds(std::chrono::milliseconds time) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%g s", std::chrono::duration<double>(time).count());
  return text.data();
}

void lost(const std::string& peer, const boost::system::error_code& error) {
  const bool closed = error == asio::error::eof || error == asio::error::connection_reset ||
                      error == asio::error::broken_pipe || error == asio::error::operation_aborted;
  throw PeerLost(peer + (closed ? " closed its connection" : " is lost: " + error.message()) +
                 ". HINT: check why the process ended.");
}

}  // namespace weft::swarmx
