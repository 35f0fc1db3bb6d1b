/// weft-random: random programs and fabrics on the RTL and the functional model, side by side (README.md).
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "verif/random/session.hpp"

namespace {

constexpr const char* kUsage =
    "weft-random: compares random programs and fabrics on the RTL and the functional model.\n"
    "  --seed N          random seed; default: 1\n"
    "  --instructions N  run programs until the RTL has executed this number of instructions\n"
    "  --fabrics N       run this number of fabrics\n"
    "  --from K          begin with case K\n"
    "  --case K          run program K alone, and make the case small if it fails\n"
    "  --fabric K        run fabric K alone, and make the case small if it fails\n"
    "  --print           print the program or fabric of --case or --fabric\n";

}  // namespace

int main(int argc, char** argv) {
  weft::random::Session session;
  std::uint64_t instructions = 0, fabrics = 0;
  long long one_case = -1, one_fabric = -1;
  bool print = false;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--print") {
      print = true;
      continue;
    }
    char* end = nullptr;
    const std::uint64_t value = i + 1 < argc ? std::strtoull(argv[++i], &end, 0) : 0;
    if (!end || *end || end == argv[i]) return std::fputs(kUsage, stderr), 2;
    if (name == "--seed")
      session.seed = value;
    else if (name == "--instructions")
      instructions = value;
    else if (name == "--fabrics")
      fabrics = value;
    else if (name == "--from")
      session.from = value;
    else if (name == "--case")
      one_case = static_cast<long long>(value);
    else if (name == "--fabric")
      one_fabric = static_cast<long long>(value);
    else
      return std::fputs(kUsage, stderr), 2;
  }
  session.program = argv[0];
  session.progress = true;
  if (one_case >= 0 || one_fabric >= 0)
    return session.one(one_fabric >= 0, static_cast<std::uint64_t>(one_fabric >= 0 ? one_fabric : one_case), print) ? 0
                                                                                                                    : 1;
  if (!instructions && !fabrics) instructions = 1'000'000, fabrics = 100;
  const bool good = session.programs(instructions) && session.fabrics(fabrics);
  std::fputs(session.coverage.print().c_str(), stdout);
  if (good) std::puts("RTL and model agree in all programs and fabrics");
  return good ? 0 : 1;
}
