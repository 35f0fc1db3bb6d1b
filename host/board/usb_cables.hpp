/// USB adapters of boards: which are plugged in, and where their serial lines are.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft::board {

/// A USB id that a board's adapter has. Other adapters may have it, too.
struct KnownCable {
  std::string_view id;      ///< "0403:6015"
  std::string_view chip;    ///< "FT231X"
  std::string_view board;   ///< whose adapter this may be: a folder of fpga/boards
  std::string_view title;   ///< of that board, for people
  std::string_view loader;  ///< openFPGALoader's options for it
  int serial_interface;     ///< the one that is the board's serial line; -1: the link of this board is Ethernet
};

/// As `cables` in fpga/boards/NAME/board, which make flash reads.
const std::vector<KnownCable>& known_cables();

/// One interface of an adapter, e.g. "1-2:1.0".
struct UsbInterface {
  std::string name = {};
  int number = 0;
  std::string driver = {};  ///< "ftdi_sio"; empty: no driver has it
  std::string tty = {};     ///< "ttyUSB0"; empty: it has none
};

struct UsbCable {
  const KnownCable* known = nullptr;
  std::string place = {};                     ///< of the bus, "1-2"
  std::string product = {}, serial = {};      ///< as the device says; may be empty
  std::string node = {};                      ///< below /dev, "bus/usb/001/005": what openFPGALoader opens
  std::vector<UsbInterface> interfaces = {};  ///< by number

  /// The interface that is the board's serial line; null if the adapter does not show it.
  const UsbInterface* line() const;
};

/// All adapters with a known id, in order of their places. `sysfs`: "/sys".
std::vector<UsbCable> find_cables(const std::filesystem::path& sysfs);

}  // namespace weft::board
