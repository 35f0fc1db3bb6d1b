/// Line to a board on the network: one frame per packet.
#pragma once

#include "host/board/link/line.hpp"
#include "sw/base/descriptor.hpp"

namespace weft::board {

inline constexpr int kDefaultPort = 4177;

class UdpLine final : public Line {
 public:
  /// `address`: "192.168.1.5", "192.168.1.5:4177", "[::1]:4177", or a host name instead of numbers. Throws Refusal of
  /// fpga.device. Packets from other addresses are never received.
  explicit UdpLine(const std::string& address);

  const std::string& name() const override { return name_; }
  bool ready() const override { return true; }
  void send(std::span<const std::uint8_t> frame) override;
  bool receive(Bytes& frame, Time until) override;

 private:
  std::string name_;
  Descriptor fd_;
};

}  // namespace weft::board
