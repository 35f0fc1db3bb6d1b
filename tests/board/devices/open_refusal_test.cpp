/// Hints for devices that cannot be opened, latency timers of drivers, addresses of boards.
#include "host/board/devices/open_refusal.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <cerrno>

#include "host/board/devices/device_access.hpp"
#include "host/board/devices/network_boards.hpp"
#include "host/board/lines/serial_latency.hpp"
#include "host/board/lines/serial_line.hpp"
#include "tests/cli/boards/board_fixture.hpp"

namespace weft::board {
namespace {

class OpenRefusal : public testing::Test {
 protected:
  std::string hint(const std::string& path, int error) const {
    return open_refusal(path, error, machine_.system()).hint();
  }

  const test::TemporaryFolder folder_;
  const cli::Machine machine_{folder_};
};

TEST_F(OpenRefusal, NamesTheProcessThatHasTheDeviceOpen) {
  const Descriptor fd(::posix_openpt(O_RDWR | O_NOCTTY));
  ::grantpt(fd.get());
  ::unlockpt(fd.get());
  const std::string path = ::ptsname(fd.get());
  const Descriptor held(::open(path.c_str(), O_RDWR | O_NOCTTY));
  const std::string text = open_refusal(path, EBUSY).hint();
  EXPECT_EQ(text.find("end the other program that has the device open: process " + std::to_string(::getpid()) + " ("),
            0U)
      << text;
  EXPECT_TRUE(holders("/proc", "/dev/ttyNone").empty());
}

TEST_F(OpenRefusal, MissingDeviceHintListsPresentOnes) {
  EXPECT_EQ(hint("/dev/ttyUSB9", ENOENT),
            "plug the board in, or name another device; weft board lists the devices found");
  machine_.plug("1-2", "0403:6015", "ULX3S");
  EXPECT_EQ(hint("/dev/ttyUSB9", ENOENT).find("the adapter at USB 1-2 has no serial driver: unplug the board"), 0U);
  machine_.bind("1-2", "ttyUSB3", "");
  EXPECT_EQ(hint("/dev/ttyUSB9", ENOENT), "adapters of boards are at /dev/ttyUSB3: name one of them");
}

TEST_F(OpenRefusal, ForbiddenDeviceHintNamesItsGroupOrUdevRule) {
  const std::string node = folder_.write("dev/ttyUSB0", "");
  ::chmod(node.c_str(), 0600);
  EXPECT_EQ(hint(node, EACCES).find("install the udev rule: sudo cp "), 0U) << hint(node, EACCES);
  folder_.write("usr/lib/udev/rules.d/70-weft-boards.rules", "");
  EXPECT_EQ(hint(node, EACCES).find("install the udev rule: sudo cp "), 0U) << "an empty file is no rule";
  machine_.install_rule();
  EXPECT_EQ(hint(node, EACCES).find("the udev rule is installed, but not in force: sudo udevadm control --reload"), 0U);
  ::chmod(node.c_str(), 0660);
  if (::getuid() != 0 || ::chown(node.c_str(), 0, 20) != 0) GTEST_SKIP() << "only root gives files to groups";
  const std::string group = device_access(node).group;
  EXPECT_EQ(hint(node, EACCES),
            "add yourself to the group " + group + " (sudo usermod -aG " + group + " $USER), and log in again");
}

TEST_F(OpenRefusal, AdapterThatDoesNotAnswerHintsToReplugIt) {
  for (const int error : {EIO, ENODEV, ENXIO})
    EXPECT_EQ(hint("/dev/ttyUSB0", error), "the adapter does not answer: unplug the board and plug it in again");
}

TEST(SerialLatency, IsReadWhereADriverHasIt) {
  const test::TemporaryFolder folder;
  folder.write("sys/bus/usb-serial/devices/ttyUSB0/latency_timer", "16\n");
  EXPECT_EQ(latency_timer(folder / "sys", "/dev/ttyUSB0"), 16);
  EXPECT_EQ(latency_timer(folder / "sys", "/dev/ttyUSB1"), std::nullopt);
  folder.write("dev/ttyUSB0", "");
  std::filesystem::create_symlink(folder / "dev/ttyUSB0", folder / "dev/by-id");
  EXPECT_EQ(latency_timer(folder / "sys", folder / "dev/by-id"), 16) << "by a link to the device";
}

TEST(SerialLatency, IsNothingThatATerminalHas) {
  const Descriptor fd(::posix_openpt(O_RDWR | O_NOCTTY));
  ::grantpt(fd.get());
  ::unlockpt(fd.get());
  const SerialLine line(::ptsname(fd.get()), 2000000);
  EXPECT_EQ(line.settings(), "2000000 baud");
}

TEST(SerialLatency, IsSaidInWords) {
  EXPECT_EQ(latency_text(LowLatency::Set, 1), "low latency, latency timer 1 ms");
  EXPECT_EQ(latency_text(LowLatency::Denied, 16), "low latency denied by the driver, latency timer 16 ms");
  EXPECT_EQ(latency_text(LowLatency::Unsupported, {}), "");
}

TEST(NetworkBoards, AreInTheArpTableWithABoardsMacAndTheUsualAddress) {
  const test::TemporaryFolder folder;
  const SystemFolders system{folder.path()};
  EXPECT_TRUE(possible_addresses(system).empty());
  folder.write("proc/net/arp",
               "IP address       HW type     Flags       HW address            Mask     Device\n"
               "192.168.7.3      0x1         0x2         02:57:45:46:54:02     *        eth0\n"
               "192.168.7.1      0x1         0x2         a4:91:b1:00:11:22     *        eth0\n");
  EXPECT_EQ(possible_addresses(system), std::vector<std::string>{"192.168.7.3"});
  const std::string head = "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n";
  const std::string all = "eth0\t00000000\t0107A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0\n";
  folder.write("proc/net/route", head + all);
  EXPECT_FALSE(in_our_networks("192.168.1.50", system)) << "by a gateway is no neighbour";
  folder.write("proc/net/route", head + all + "eth0\t0001A8C0\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0\n");
  EXPECT_TRUE(in_our_networks("192.168.1.50", system));
  EXPECT_FALSE(in_our_networks("192.168.2.50", system));
  const std::vector<std::string> both = {"192.168.7.3", "192.168.1.50"};
  EXPECT_EQ(possible_addresses(system), both);
  EXPECT_EQ(possible_addresses(system, {"192.168.2.9", "", "no address", "192.168.7.3"}), both) << "behind a gateway";
  EXPECT_EQ(possible_addresses(system, {"192.168.1.51", "192.168.1.51"}),
            (std::vector<std::string>{"192.168.7.3", "192.168.1.51", "192.168.1.50"}));
}

}  // namespace
}  // namespace weft::board
