/// A peer that is no wafer: connects by hand and says what it likes.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <string>
#include <vector>

#include "host/swarmx/frame.hpp"
#include "host/swarmx/payload.hpp"
#include "host/swarmx/round_returns.hpp"
#include "host/swarmx/swarm.hpp"

namespace weft {

class Stranger {
 public:
  Stranger() { socket_.open(boost::asio::ip::tcp::v4()); }
  explicit Stranger(std::uint16_t port) { connect(port); }
  void connect(std::uint16_t port) { socket_.connect({boost::asio::ip::address_v4::loopback(), port}); }
  void send(const Frame& frame) {
    const HeaderBytes header = encode_header(frame);
    boost::asio::write(socket_, boost::asio::buffer(header));
    if (frame.payload) boost::asio::write(socket_, boost::asio::buffer(*frame.payload));
  }
  void say(const std::string& name) {
    Frame hello{.type = FrameType::Hello};
    send(hello.carry(encode_text(name)));
  }
  void raw(const std::string& text) { boost::asio::write(socket_, boost::asio::buffer(text)); }
  void read(std::size_t bytes) {
    std::vector<char> waste(bytes);
    boost::asio::read(socket_, boost::asio::buffer(waste));
  }
  Frame receive() {
    HeaderBytes bytes{};
    boost::asio::read(socket_, boost::asio::buffer(bytes));
    const Header header = decode_header(bytes, "the swarm");
    Bytes payload(header.length);
    boost::asio::read(socket_, boost::asio::buffer(payload));
    return with_payload(header, std::move(payload), "the swarm");
  }
  Frame receive(FrameType type) {
    for (;;) {
      if (Frame frame = receive(); frame.type == type) return frame;
    }
  }
  /// Whether the other side closes the connection; waits for it.
  bool is_closed() {
    char waste = 0;
    boost::system::error_code error;
    while (!error) boost::asio::read(socket_, boost::asio::buffer(&waste, 1), error);
    return error == boost::asio::error::eof || error == boost::asio::error::connection_reset;
  }
  void close() { socket_.close(); }

 private:
  boost::asio::io_context io_;
  boost::asio::ip::tcp::socket socket_{io_};
};

/// One that says it is wafer `id`.
struct Impostor : Stranger {
  Impostor(const Swarm& swarm, int id) : Stranger(swarm.port()) { say("wafer " + std::to_string(id)); }
};

/// A contribution as it should be, of one micro-batch with zeros, to the round of `begin`.
inline Frame contribution(const Plan& plan, const RoundReturns::Slot& slot, const Frame& begin) {
  std::vector<std::int64_t> values(slot.values);
  if (slot.type == FrameType::Loss) values[kLossTokens] = std::int64_t{plan.model.micro_batch} * plan.model.seq;
  const std::uint32_t micro_batch = begin.payload ? decode_round(begin.bytes()).tasks.front().micro_batch : 0;
  Frame frame{.type = slot.type, .step = begin.step, .round = begin.round, .op = slot.op, .part = slot.part};
  return carry(frame, {&micro_batch, 1}, values);
}

#define EXPECT_SAYS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

}  // namespace weft
