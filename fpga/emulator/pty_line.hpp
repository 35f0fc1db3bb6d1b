/// A serial line's other end: a raw pseudo-terminal.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fpga/emulator/line.hpp"

namespace weft::emulator {

class PtyLine final : public HostLine {
 public:
  /// Throws std::system_error.
  PtyLine();
  ~PtyLine() override;
  PtyLine(const PtyLine&) = delete;
  PtyLine& operator=(const PtyLine&) = delete;

  int fd() const override { return master_; }
  std::string device() const override { return name_; }
  std::vector<Piece> read() override;
  void write(const Piece& piece) override;
  bool waits() const override { return !out_.empty(); }

 private:
  void flush();

  int master_ = -1, slave_ = -1;  // the second keeps the line up while no host has it open
  std::string name_;
  std::vector<std::uint8_t> in_;   // a frame whose end has not arrived
  std::vector<std::uint8_t> out_;  // bytes that the host has not taken
};

}  // namespace weft::emulator
