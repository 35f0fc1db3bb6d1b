/// A board's network: packets of a local UDP socket.
#pragma once

#include <netinet/in.h>

#include <string>
#include <vector>

#include "fpga/emulator/line.hpp"

namespace weft::emulator {

/// Carries packets of any sender: the board decides which host it listens to.
class PacketLine final : public HostLine {
 public:
  /// On 127.0.0.1; port 0: any. Throws std::system_error.
  explicit PacketLine(int port);
  ~PacketLine() override;
  PacketLine(const PacketLine&) = delete;
  PacketLine& operator=(const PacketLine&) = delete;

  int fd() const override { return socket_; }
  std::string device() const override;
  std::vector<Piece> read() override;
  void write(const Piece& piece) override;

 private:
  /// -1 if there are too many hosts.
  int number(const sockaddr_in& address);

  int socket_ = -1, port_ = 0;
  std::vector<sockaddr_in> hosts_;  // all that have ever sent
};

}  // namespace weft::emulator
