#include "fpga/emulator/options.hpp"

#include <getopt.h>

#include <cstdio>
#include <cstdlib>

namespace weft::emulator {
namespace {

constexpr const char* kHelp =
    R"(weft-board: a board in Verilator. Prints `device NAME`, which a host opens, and runs until it is ended.
  --link PATH    a symbolic link to the device
  --divider N    cycles a bit of the serial line, 4 (default) to 1023
  --udp PORT     packets on a socket of 127.0.0.1 instead; 0: any port
  --seed N       for what follows: probabilities, in both directions
  --flip R       of a byte: a bit of it changes
  --cut R        of a byte: it is lost
  --double R     of a frame: it comes twice
  --delay R      of a frame: it comes behind the next
  --reset R      of a frame from the host: the board is reset
  --most N       cycles; then it ends with 1
)";

[[noreturn]] void refuse(const std::string& what) {
  std::fprintf(stderr, "weft-board: %s. HINT: weft-board --help\n", what.c_str());
  std::exit(2);
}

double number(const char* name, const char* text, double low, double high) {
  char* end = nullptr;
  const double value = std::strtod(text, &end);
  if (end == text || *end != '\0' || !(value >= low && value <= high))
    refuse("--" + std::string(name) + " " + text + " is not a number it can be");
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
  if (optind != argc) refuse(std::string("what is ") + argv[optind]);
  return o;
}

}  // namespace weft::emulator
