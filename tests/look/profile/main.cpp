/// weft-profile FILE [NAME VALUE]...: profile_command with a configuration and options, on the RTL whose invariants are
/// checked.
#include <unistd.h>

#include <iostream>

#include "host/look/profile/command.hpp"

int main(int argc, char** argv) {
  if (argc < 2 || argc % 2 != 0) return std::cerr << "weft-profile FILE [NAME VALUE]...\n", 2;
  weft::Options options;
  std::vector<weft::Override> overrides;
  for (int i = 2; i + 1 < argc; i += 2) {
    const std::string name = argv[i];
    if (name.find('.') == std::string::npos)
      options[name] = argv[i + 1];
    else
      overrides.push_back({name, argv[i + 1]});
  }
  try {
    return weft::profile_command(weft::load_config(argv[1], overrides), options, isatty(1), std::cout);
  } catch (const std::exception& e) {
    return std::cerr << e.what() << '\n', 1;
  }
}
