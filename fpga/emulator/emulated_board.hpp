/// A board in Verilator (weft_emulated_board.sv): its line, and its clock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

class Vweft_emulated_board;
class VerilatedContext;

namespace weft::emulator {

/// Bytes in flight: of a serial line, or one packet.
struct Piece {
  std::vector<std::uint8_t> bytes;
  int from = 0;  ///< number of the packet's sender, or of its receiver, given by the carrier of packets: 0 to 65535
};

class EmulatedBoard {
 public:
  enum class Line { Serial, Packets };  ///< packets: UDP, each in an Ethernet frame

  /// `divider`: cycles a bit of a serial line, 4 to 1023.
  explicit EmulatedBoard(Line line, int divider = 4);
  ~EmulatedBoard();
  EmulatedBoard(const EmulatedBoard&) = delete;
  EmulatedBoard& operator=(const EmulatedBoard&) = delete;

  /// Resets the board: there is no session.
  void power_up();
  /// Queues bytes for the serial line, or one packet.
  void send(Piece piece);
  /// Bytes that are queued, as they are on the line.
  std::size_t queued() const { return queued_; }
  /// Output of the board since the last call: bytes of the serial line in one piece, or packets.
  std::vector<Piece> take();

  void cycle();
  std::uint64_t cycles() const { return cycles_; }
  /// Cycles in which the wafer's clock ran, too.
  std::uint64_t wafer_cycles() const { return wafer_cycles_; }
  /// Cycles since the last event in the board; nothing more will happen until something is sent.
  std::uint64_t idle() const { return idle_; }
  bool session() const;
  /// Adds ticks (weft_link.sv) of time that were not simulated to the session's silence.
  void missed(std::uint64_t ticks);

 private:
  void drive_serial();
  void drive_packets();
  void look_serial();
  void look_packets();
  void unwrap();

  std::unique_ptr<VerilatedContext> context_;  // outlives the model
  std::unique_ptr<Vweft_emulated_board> top_;
  Line line_;
  int divider_;
  std::deque<Piece> down_;
  std::size_t at_ = 0;  // position in the first piece's bytes
  std::size_t queued_ = 0;
  std::vector<Piece> up_;
  std::vector<std::uint8_t> packet_;  // being received, with its preamble
  int gap_ = 0;                       // cycles until the next packet may be sent
  std::uint64_t cycles_ = 0, wafer_cycles_ = 0, idle_ = 0;
  // The host's UART: bits still to be sent with the one on the line, cycles until the next; in_ likewise for receiving.
  unsigned out_bits_ = 0, in_bits_ = 0;
  int out_left_ = 0, out_wait_ = 0, in_left_ = 0, in_wait_ = 0;
};

}  // namespace weft::emulator
