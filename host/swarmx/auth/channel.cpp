#include "host/swarmx/auth/channel.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <utility>

namespace weft {
namespace {

class PlainChannel final : public Channel {
 public:
  explicit PlainChannel(Socket socket) : socket_(std::move(socket)) {
    boost::system::error_code ignored;  // of a socket pair, which never delays
    socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
  }
  asio::awaitable<Read> read(std::span<std::uint8_t> into, std::size_t least) override {
    auto [error, size] = co_await asio::async_read(socket_, asio::buffer(into.data(), into.size()),
                                                   asio::transfer_at_least(least), kAsResult);
    co_return Read{error, size};
  }
  asio::awaitable<boost::system::error_code> write(std::span<const asio::const_buffer> buffers) override {
    auto [error, size] = co_await asio::async_write(socket_, buffers, kAsResult);
    co_return error;
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

}  // namespace weft
