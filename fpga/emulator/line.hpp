/// The emulator's side of a connection to hosts: a pseudo-terminal, or a socket.
#pragma once

#include <string>
#include <vector>

#include "fpga/emulator/emulated_board.hpp"

namespace weft::emulator {

class HostLine {
 public:
  virtual ~HostLine() = default;
  /// File descriptor to poll for input.
  virtual int fd() const = 0;
  /// Name that a host opens.
  virtual std::string device() const = 0;
  /// Whole frames that have arrived, as they are on the line.
  virtual std::vector<Piece> read() = 0;
  /// Does not wait: bytes that the host does not take for long are lost, as on a wire.
  virtual void write(const Piece& piece) = 0;
  /// Bytes wait for the host to take some: call read() again when `fd` is writable.
  virtual bool waits() const { return false; }
};

}  // namespace weft::emulator
