/// A port at which consecutive roots listen.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstdint>

namespace weft::swarmx {

/// A reserved loopback port at which one process at a time may listen.
class ReservedPort {
 public:
  ReservedPort() {
    socket_.set_option(boost::asio::socket_base::reuse_address(true));
    socket_.bind({boost::asio::ip::address_v4::loopback(), 0});
  }
  std::uint16_t number() const { return socket_.local_endpoint().port(); }

 private:
  boost::asio::io_context io_{1};
  boost::asio::ip::tcp::socket socket_{io_, boost::asio::ip::tcp::v4()};
};

}  // namespace weft::swarmx
