/// What the emulator offers to hosts: a pseudo-terminal, or a socket.
#pragma once

#include <string>
#include <vector>

#include "fpga/emulator/emulated_board.hpp"

namespace weft {

class HostLine {
 public:
  virtual ~HostLine() = default;
  /// To be polled for what comes.
  virtual int fd() const = 0;
  /// What a host opens.
  virtual std::string device() const = 0;
  /// What has come: whole frames, as they are on the line.
  virtual std::vector<Piece> read() = 0;
  /// Does not wait: what the host does not take for long is lost, as on a wire.
  virtual void write(const Piece& piece) = 0;
  /// Bytes wait until the host takes some: ask it again when `fd` can be written.
  virtual bool waits() const { return false; }
};

}  // namespace weft
