/// A machine with an adapter and a board: folders laid out as in Linux, and the board's half of the link at a real
/// terminal.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <array>
#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include "host/board/devices/system_folders.hpp"
#include "host/board/lines/cobs.hpp"
#include "host/board/lines/poll_line.hpp"
#include "host/board/lines/serial_line.hpp"
#include "host/board/lines/serial_settings.hpp"
#include "tests/board/fake_board.hpp"
#include "tests/temporary_folder.hpp"

namespace weft::cli {

/// The functional model behind the board's half of the link, at one end of a pseudoterminal pair; the other end is the
/// device.
class BoardAtTerminal {
 public:
  explicit BoardAtTerminal(const machine::WaferShape& shape, int baud = 2000000)
      : fd_(::posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK)), baud_(baud), board_(make_model_wafer(shape)) {
    EXPECT_EQ(::grantpt(fd_.get()), 0);
    EXPECT_EQ(::unlockpt(fd_.get()), 0);
    path_ = ::ptsname(fd_.get());
    keeps_ = Descriptor(::open(path_.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC));  // keeps the line up while it is unused
  }

  const std::string& path() const { return path_; }
  board::FakeBoard& board() { return board_; }
  std::uint8_t version = 2;  ///< link version in ABOUT

  void start() {
    thread_ = std::jthread([this](const std::stop_token& stop) {
      board::Unstuffer unstuffer(board::kMostFrame);
      while (!stop.stop_requested()) {
        std::array<std::uint8_t, 2048> some;
        board::wait_for(fd_.get(), false, board::Clock::now(), board::Clock::now() + std::chrono::milliseconds(1));
        const ssize_t count = ::read(fd_.get(), some.data(), some.size());
        const bool wrong_rate = count > 0 && board::read_settings(fd_.get()).baud_out != baud_;
        for (ssize_t i = 0; i < count; ++i) {
          // At a wrong baud rate the bits are sampled at wrong times: neither side receives a valid frame.
          if (wrong_rate) some[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(0x80 | i * 37);
          if (unstuffer.push(some[static_cast<std::size_t>(i)]) && !wrong_rate)
            board_.receive(unstuffer.frame(), board::Clock::now());
        }
        if (wrong_rate && ::write(fd_.get(), some.data(), static_cast<std::size_t>(count)) < 0) continue;
        board_.go_on(board::Clock::now());
        while (auto frame = board_.next(board::Clock::now())) {
          board::Bytes out;
          board::stuff(version == 2 ? *frame : of_version(*frame), out);
          if (::write(fd_.get(), out.data(), out.size()) < 0) break;  // bytes are lost, as on any line
        }
      }
    });
  }

 private:
  /// The ABOUT frame with another version and a valid checksum; any other frame unchanged.
  board::Bytes of_version(const board::Bytes& bytes) const {
    std::optional<board::Frame> frame = board::decode(bytes, {});
    if (!frame || frame->kind != board::Kind::About) return bytes;
    frame->payload = board::info_bytes(board::info_of({.rows = 4, .cols = 2}), version);
    return board::encode(*frame);
  }

  Descriptor fd_, keeps_;
  int baud_;
  board::FakeBoard board_;
  std::string path_;
  std::jthread thread_;  // declared last, because the thread uses the other members
};

/// Folders below a root, as Linux shows a plugged-in ULX3S adapter.
class Machine {
 public:
  explicit Machine(const test::TemporaryFolder& folder) : folder_(folder) {}

  board::SystemFolders system() const { return {folder_.path()}; }

  void plug(const std::string& place, const std::string& id, const std::string& product, int interfaces = 1) const {
    const std::string device = "sys/bus/usb/devices/" + place + "/";
    folder_.write(device + "idVendor", id.substr(0, 4) + "\n");
    folder_.write(device + "idProduct", id.substr(5) + "\n");
    folder_.write(device + "product", product + "\n");
    folder_.write(device + "serial", "D00084\n");
    folder_.write(device + "busnum", "1\n");
    folder_.write(device + "devnum", "5\n");
    for (int i = 0; i < interfaces; ++i)
      folder_.write(interface(place, i) + "bInterfaceNumber", "0" + std::to_string(i) + "\n");
    folder_.write("dev/bus/usb/001/005", "");
    folder_.write("sys/bus/usb/drivers/ftdi_sio/bind", "");
  }
  /// Binds the driver to the interface: a tty that links to `terminal`, with a latency timer.
  void bind(const std::string& place, const std::string& tty, const std::string& terminal, int timer = 16) const {
    namespace fs = std::filesystem;
    fs::create_directory_symlink(folder_ / "sys/bus/usb/drivers/ftdi_sio", folder_ / (interface(place, 0) + "driver"));
    folder_.write(interface(place, 0) + tty + "/uevent", "");
    folder_.write("sys/bus/usb-serial/devices/" + tty + "/latency_timer", std::to_string(timer) + "\n");
    fs::create_directories(folder_ / "dev");
    if (!terminal.empty()) fs::create_symlink(terminal, folder_ / ("dev/" + tty));
  }
  void install_rule() const { folder_.write("usr/lib/udev/rules.d/70-weft-boards.rules", "#\n"); }

 private:
  static std::string interface(const std::string& place, int number) {
    return "sys/bus/usb/devices/" + place + ":1." + std::to_string(number) + "/";
  }

  const test::TemporaryFolder& folder_;
};

}  // namespace weft::cli
