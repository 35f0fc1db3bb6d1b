/// The target of this program under libFuzzer. Seeds are written to the last folder on the command line if that folder
/// is empty.
#include <filesystem>
#include <fstream>

#include "tests/fuzz/target.hpp"

extern "C" int LLVMFuzzerInitialize(int* count, char*** words) {
  namespace fs = std::filesystem;
  const fs::path folder = (*words)[*count - 1];
  if (*count < 2 || !fs::is_directory(folder) || !fs::is_empty(folder)) return 0;
  int n = 0;
  for (const std::string& seed : weft::fuzz::targets().front().seeds()) {
    std::ofstream(folder / ("seed_" + std::to_string(n++)), std::ios::binary) << seed;
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  weft::fuzz::targets().front().read({bytes, size});
  return 0;
}
