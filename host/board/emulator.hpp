/// Board emulator as a separate program, `weft-board`: simulates the unmodified board half of the link and the wafer.
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
  /// Terminates the program.
  ~Emulator();
  Emulator(const Emulator&) = delete;
  Emulator& operator=(const Emulator&) = delete;

  /// Device that the emulator announced: "/dev/pts/3", "udp:127.0.0.1:4177".
  const std::string& device() const { return device_; }
  pid_t pid() const { return pid_; }

 private:
  void stop() noexcept;

  pid_t pid_ = -1;
  Descriptor out_;  // standard output of the emulator, kept open since it may write more
  std::string device_;
  std::binary_semaphore started_{0}, over_{0};
  std::jthread keeper_;  // thread that forks, and lives as long as this object; last, since it uses the other members
};

}  // namespace weft::board
