#include "host/swarmx/auth/channel.hpp"

#include <utility>

namespace weft::swarmx {
namespace {

class PlainChannel final : public Channel {
 public:
  explicit PlainChannel(Socket socket) : socket_(std::move(socket)) {
    prepare(socket_);
    unpace(socket_);  // sealed ones stay paced: if many share few processors, pacing saves processor time
  }
  asio::awaitable<Received> read(std::span<std::uint8_t> into, std::size_t least) override {
    return receive(socket_, into, least);
  }
  asio::awaitable<boost::system::error_code> write(std::span<const asio::const_buffer> buffers) override {
    return send(socket_, buffers);
  }
  void close() noexcept override {
    boost::system::error_code ignored;
    socket_.close(ignored);
  }

 private:
  Socket socket_;
};

}  // namespace

std::unique_ptr<Channel> plain_channel(Socket socket) { return std::make_unique<PlainChannel>(std::move(socket)); }

}  // namespace weft::swarmx
