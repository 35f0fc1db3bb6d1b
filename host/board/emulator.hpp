/// A board in a program of its own, `weft-board`: the board's half as it is, simulated.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <semaphore>
#include <string>
#include <thread>
#include <vector>

#include "sw/base/descriptor.hpp"

namespace weft::board {

class Emulator {
 public:
  /// Starts `program` and reads its first line, "device PATH". Throws Refusal of fpga.device.
  Emulator(const std::filesystem::path& program, std::vector<std::string> arguments);
  /// Ends it.
  ~Emulator();
  Emulator(const Emulator&) = delete;
  Emulator& operator=(const Emulator&) = delete;

  /// What it said: "/dev/pts/3", "udp:127.0.0.1:4177".
  const std::string& device() const { return device_; }
  pid_t pid() const { return pid_; }

 private:
  void stop() noexcept;

  pid_t pid_ = -1;
  Descriptor out_;  // its standard output; it may go on to write
  std::string device_;
  std::binary_semaphore started_{0}, over_{0};
  std::jthread keeper_;  // has started it, and lives as long as this; last: it uses the others
};

}  // namespace weft::board
