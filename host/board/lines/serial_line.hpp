/// A serial device: raw, eight bits, no parity, one stop bit, no flow control.
#pragma once

#include <memory>
#include <optional>

#include "host/board/lines/cobs.hpp"
#include "host/board/link/line.hpp"
#include "sw/base/descriptor.hpp"

namespace weft::board {

class SerialLine final : public Line {
 public:
  /// Opens `path` exclusively, at `baud` (any rate that the device supports) and with low latency if supported, and
  /// discards earlier input. Throws Refusal of fpga.device or fpga.baud.
  SerialLine(const std::string& path, int baud);
  ~SerialLine() override;

  const std::string& name() const override { return path_; }
  /// "2000000 baud, low latency, latency timer 1 ms".
  std::string settings() const override { return settings_; }
  /// Latency timer of the adapter in ms, if it has one.
  std::optional<int> latency() const { return latency_; }
  bool ready() const override { return out_.size() - written_ < kMostOut; }
  void send(std::span<const std::uint8_t> frame) override;
  bool receive(Bytes& frame, Time until) override;

 private:
  static constexpr std::size_t kMostOut = 2048;  ///< limit of the output buffer in bytes

  bool take(Bytes& frame);
  void read_some();
  void write_some();

  std::string path_, settings_;
  std::optional<int> latency_;
  Descriptor fd_;
  Unstuffer unstuffer_{kMostFrame};
  Bytes in_, out_;
  std::size_t read_ = 0, written_ = 0;  // offsets in in_ and out_
};

}  // namespace weft::board
