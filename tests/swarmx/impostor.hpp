/// A peer that is not a wafer and sends arbitrary frames.
#pragma once

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "host/swarmx/auth/connect.hpp"
#include "host/swarmx/protocol/contribution.hpp"
#include "host/swarmx/protocol/frame.hpp"
#include "host/swarmx/protocol/pass_returns.hpp"
#include "host/swarmx/protocol/payload.hpp"
#include "host/swarmx/protocol/plan_frames.hpp"
#include "host/swarmx/root/swarm.hpp"
#include "tests/says.hpp"
#include "tests/swarmx/remote.hpp"

namespace weft::swarmx {

/// A member of the swarm that has the key and sends arbitrary frames.
class Impostor {
 public:
  /// A peer that has only sent its hello.
  Impostor(const Swarm& swarm, std::string role, std::string name)
      : Impostor(swarm.port(), std::move(role), std::move(name)) {}
  Impostor(std::uint16_t port, std::string role, std::string name) {
    Hello hello{.version = kSwarmVersion, .job = "test", .role = std::move(role), .name = std::move(name), .from = {}};
    channel_ = drive(connect_to("127.0.0.1", port, test_credentials(), hello, std::chrono::seconds(10)));
  }
  /// A wafer that has received its plan.
  Impostor(const Swarm& swarm, int id) : Impostor(swarm, "wafer", "wafer " + std::to_string(id)) {
    PlanReader plan;
    while (!plan.add(receive(), "the swarm")) {
    }
  }
  void send(const Frame& frame) {
    const HeaderBytes header = encode_header(frame);
    const std::array<asio::const_buffer, 2> buffers{asio::buffer(header),
                                                    asio::buffer(frame.bytes().data(), frame.bytes().size())};
    check(drive(channel_->write(buffers)));
  }
  void raw(const std::string& text) {
    const asio::const_buffer buffer = asio::buffer(text);
    check(drive(channel_->write({&buffer, 1})));
  }
  void read(std::size_t bytes) { fill(bytes); }
  Frame receive() {
    const Bytes head = fill(kHeaderBytes);
    HeaderBytes bytes{};
    std::copy(head.begin(), head.end(), bytes.begin());
    const Header header = decode_header(bytes, "the swarm");
    return with_payload(header, fill(header.length), "the swarm");
  }
  Frame receive(FrameType type) {
    for (;;) {
      if (Frame frame = receive(); frame.type == type) return frame;
    }
  }
  /// Waits for the other side to close the connection; returns whether it did.
  bool is_closed() {
    try {
      for (;;) fill(4096);
    } catch (const boost::system::system_error&) {
      return true;
    }
  }
  void close() { channel_->close(); }

 private:
  static void check(const boost::system::error_code& error) {
    if (error) throw boost::system::system_error(error);
  }
  Bytes fill(std::size_t size) {
    Bytes bytes(size);
    if (size > 0) check(drive(channel_->read(bytes, size)).error);
    return bytes;
  }
  template <class T>
  T drive(asio::awaitable<T> work) {
    std::optional<T> result;
    std::exception_ptr thrown;
    asio::co_spawn(io_, std::move(work), [&](std::exception_ptr failure, T value) {
      thrown = failure;
      result.emplace(std::move(value));
    });
    io_.restart();
    while (!result) io_.run_one();
    if (thrown) std::rethrow_exception(thrown);
    return std::move(*result);
  }

  asio::io_context io_{1};
  std::unique_ptr<Channel> channel_;
};

/// A wafer's correct contribution of one micro-batch, all zeros, to the pass of `begin`.
inline Frame contribution(const compiler::Plan& plan, const PassReturns::Bucket& bucket, const Frame& begin) {
  const auto zeros = [](std::span<std::uint32_t> words) { std::ranges::fill(words, 0); };
  std::vector<std::int64_t> values(bucket.values);
  if (bucket.type == FrameType::Loss) values[kLossTokens] = std::int64_t{plan.model.micro_batch} * plan.model.seq;
  const std::uint32_t micro_batch = begin.payload ? decode_pass(begin.bytes()).tasks.front().micro_batch : 0;
  Frame frame{.type = bucket.type, .step = begin.step, .pass = begin.pass, .op = bucket.op, .part = bucket.part};
  if (bucket.type == FrameType::Gradient) return carry_words(frame, micro_batch, bucket.values, zeros);
  return carry(frame, {&micro_batch, 1}, values);
}

}  // namespace weft::swarmx
