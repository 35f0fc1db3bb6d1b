#include "host/board/devices/usb_cables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>

namespace weft::board {
namespace fs = std::filesystem;
namespace {

/// Reads the first line of a sysfs file. The text comes from the device, so control characters are replaced.
std::string line_of(const fs::path& file) {
  std::ifstream in(file);
  std::string text;
  std::getline(in, text);
  for (char& c : text)
    if (c < ' ' || c > '~') c = '?';
  return text;
}

int number_of(const std::string& text, int base) {
  int number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number, base);
  return number;
}

/// Name of the serial device, like "ttyUSB0": a folder of the interface (usb-serial) or of its subfolder tty (cdc_acm).
std::string tty_of(const fs::path& interface) {
  std::error_code error;
  for (const fs::path& folder : {interface, interface / "tty"})
    for (const auto& entry : fs::directory_iterator(folder, error))
      if (const std::string name = entry.path().filename().string(); name.starts_with("tty") && name != "tty")
        return name;
  return {};
}

UsbInterface interface_of(const fs::path& folder) {
  UsbInterface i{.name = folder.filename().string()};
  i.number = number_of(line_of(folder / "bInterfaceNumber"), 16);
  std::error_code error;
  if (const fs::path driver = fs::read_symlink(folder / "driver", error); !error) i.driver = driver.filename().string();
  i.tty = tty_of(folder);
  return i;
}

}  // namespace

const std::vector<KnownCable>& known_cables() {
  // openFPGALoader 0.10 (Debian 12) lacks the board ecpix5_r03; all versions support its cable.
  static const std::vector<KnownCable> table = {
      {"0403:6015", "FT231X", "ulx3s", "ULX3S", "-b ulx3s", 0},
      {"0403:6010", "FT2232H", "ecpix5", "ECPIX-5", "-b ecpix5", -1},
      {"0403:6011", "FT4232H", "ecpix5", "ECPIX-5 R03", "-c ft4232", -1},
  };
  return table;
}

const UsbInterface* UsbCable::line() const {
  const auto found = std::ranges::find(interfaces, known->serial_interface, &UsbInterface::number);
  return found == interfaces.end() ? nullptr : &*found;
}

std::vector<UsbCable> find_cables(const fs::path& sysfs) {
  std::vector<UsbCable> cables;
  std::error_code error;
  const fs::path devices = sysfs / "bus/usb/devices";
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(devices, error)) folders.push_back(entry.path());
  std::ranges::sort(folders);
  for (const fs::path& folder : folders) {
    const std::string name = folder.filename().string();
    if (name.find(':') != std::string::npos) continue;  // an interface
    const std::string id = line_of(folder / "idVendor") + ":" + line_of(folder / "idProduct");
    const auto known = std::ranges::find(known_cables(), id, &KnownCable::id);
    if (known == known_cables().end()) continue;
    UsbCable cable{.known = &*known, .place = name};
    cable.product = line_of(folder / "product");
    cable.serial = line_of(folder / "serial");
    cable.node = fmt::format("bus/usb/{:03}/{:03}", number_of(line_of(folder / "busnum"), 10),
                             number_of(line_of(folder / "devnum"), 10));
    for (const fs::path& other : folders)
      if (other.filename().string().starts_with(name + ":")) cable.interfaces.push_back(interface_of(other));
    std::ranges::sort(cable.interfaces, {}, &UsbInterface::number);
    cables.push_back(std::move(cable));
  }
  return cables;
}

}  // namespace weft::board
