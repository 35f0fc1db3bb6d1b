#include "fpga/emulator/options.hpp"

#include <fmt/format.h>
#include <getopt.h>

#include <cstdio>
#include <cstdlib>

#include "sw/base/refusal.hpp"

namespace weft::emulator {
namespace {

constexpr const char* kHelp =
    R"(weft-board: a board in Verilator. Prints `device NAME`, which a host opens, and runs until a signal ends the program.
  --link PATH    create a symbolic link to the device
  --divider N    cycles of a bit of the serial line, 4 (default) to 1023
  --udp PORT     use packets on a socket of 127.0.0.1 in place of the serial line; 0: any port
  --most N       maximum number of cycles, after which the exit code is 1

Faults of the line, in both directions, each with its probability from 0 to 1:
  --flip R       a byte has a flipped bit
  --cut R        a byte is lost
  --double R     a frame arrives twice
  --delay R      a frame arrives after the next one
  --reset R      a frame from the host resets the board
  --seed N       random seed of the faults
)";

[[noreturn]] void refuse(const std::string& what) {
  std::fprintf(stderr, "weft-board: %s. HINT: weft-board --help\n", what.c_str());
  std::exit(2);
}

double number(const char* name, const char* text, double low, double high) {
  char* end = nullptr;
  const double value = std::strtod(text, &end);
  if (end == text || *end != '\0' || !(value >= low && value <= high))
    refuse(fmt::format("--{} {} is not a number from {:g} to {:g}", name, printable(text), low, high));
  return value;
}

}  // namespace

EmulatorOptions parse(int argc, char** argv) {
  static const option kOptions[] = {
      {"link", 1, nullptr, 'l'},  {"divider", 1, nullptr, 'v'}, {"udp", 1, nullptr, 'u'},    {"seed", 1, nullptr, 's'},
      {"flip", 1, nullptr, 'f'},  {"cut", 1, nullptr, 'c'},     {"double", 1, nullptr, 'd'}, {"delay", 1, nullptr, 'e'},
      {"reset", 1, nullptr, 'r'}, {"most", 1, nullptr, 'm'},    {"help", 0, nullptr, 'h'},   {nullptr, 0, nullptr, 0}};
  EmulatorOptions o;
  int index = 0;
  for (int c = 0; (c = getopt_long(argc, argv, "", kOptions, &index)) != -1;) {
    const auto value = [&](double low, double high) { return number(kOptions[index].name, optarg, low, high); };
    switch (c) {
      case 'l':
        o.link = optarg;
        break;
      case 'v':
        o.divider = static_cast<int>(value(4, 1023));
        break;
      case 'u':
        o.udp = static_cast<int>(value(0, 65535));
        break;
      case 's':
        o.seed = static_cast<std::uint64_t>(value(0, 0x1p53));
        break;
      case 'f':
        o.rates.flip = value(0, 1);
        break;
      case 'c':
        o.rates.cut = value(0, 1);
        break;
      case 'd':
        o.rates.doubled = value(0, 1);
        break;
      case 'e':
        o.rates.delay = value(0, 1);
        break;
      case 'r':
        o.reset = value(0, 1);
        break;
      case 'm':
        o.most = static_cast<std::uint64_t>(value(1, 0x1p53));
        break;
      case 'h':
        std::fputs(kHelp, stdout);
        std::exit(0);
      default:
        std::exit(2);  // getopt has printed the reason
    }
  }
  if (optind != argc) refuse("unknown argument " + printable(argv[optind]));
  return o;
}

}  // namespace weft::emulator
