/// USB adapters of boards that are plugged in, and their serial devices.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft::board {

/// A USB id used by a board's adapter. Unrelated adapters may share it.
struct KnownCable {
  std::string_view id;      ///< "0403:6015"
  std::string_view chip;    ///< "FT231X"
  std::string_view board;   ///< folder of fpga/boards with this adapter
  std::string_view title;   ///< name of that board for messages
  std::string_view loader;  ///< openFPGALoader's options for it
  int serial_interface;     ///< interface of the board's serial line; -1 if the board's link is Ethernet
};

/// Same as `cables` in fpga/boards/NAME/board, which make flash reads.
const std::vector<KnownCable>& known_cables();

/// One interface of an adapter, e.g. "1-2:1.0".
struct UsbInterface {
  std::string name = {};
  int number = 0;
  std::string driver = {};  ///< "ftdi_sio"; empty if no driver is bound
  std::string tty = {};     ///< "ttyUSB0"; empty if there is none
};

struct UsbCable {
  const KnownCable* known = nullptr;
  std::string place = {};                     ///< position on the bus, "1-2"
  std::string product = {}, serial = {};      ///< as the device reports them; may be empty
  std::string node = {};                      ///< path below /dev, "bus/usb/001/005", which openFPGALoader opens
  std::vector<UsbInterface> interfaces = {};  ///< by number

  /// The interface of the board's serial line; null if the adapter does not have it.
  const UsbInterface* line() const;
};

/// All adapters with a known id, sorted by place. `sysfs`: "/sys".
std::vector<UsbCable> find_cables(const std::filesystem::path& sysfs);

}  // namespace weft::board
