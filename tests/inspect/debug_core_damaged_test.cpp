/// Damaged core dumps.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "host/inspect/debug/core_command.hpp"
#include "host/inspect/debug/core_target.hpp"
#include "host/inspect/hang/core_file.hpp"
#include "sw/base/crc32c.hpp"
#include "sw/base/refusal.hpp"
#include "tests/inspect/hung.hpp"
#include "tests/random.hpp"

namespace weft::inspect::debug {
namespace {

using test::Rng;
using test::test_seed;

void write(const std::string& file, std::span<const std::uint8_t> bytes) {
  std::ofstream out(file, std::ios::binary);
  out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

std::string refusal(const std::string& file) {
  std::istringstream in("info registers\n");
  std::ostringstream out;
  try {
    debug_core({{"core", file}}, in, false, out);
    return "";
  } catch (const Refusal& e) {
    return e.what();
  }
}

TEST(DebugCore, DamagedCoreIsRejected) {
  const HungRun hung(false);
  const std::vector<std::uint8_t> good = deadlock::encode(read_core(hung.file()));
  const std::string file = hung.folder / "bad.weftcore";
  Rng rng(test_seed());
  const auto bad = [&](std::vector<std::uint8_t> bytes) {
    write(file, bytes);
    return refusal(file);
  };
  EXPECT_EQ(bad(good), "");
  for (const std::size_t length :
       {std::size_t{0}, std::size_t{7}, std::size_t{20}, std::size_t{24}, good.size() / 2, good.size() - 1})
    EXPECT_NE(bad({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(length)}), "") << length;
  for (int i = 0; i < 20; ++i) {
    auto flipped = good;
    flipped[rng.below(static_cast<unsigned>(good.size()))] ^= static_cast<std::uint8_t>(1u << rng.below(8));
    EXPECT_NE(bad(flipped).find("HINT: "), std::string::npos);
  }
  auto older = good;
  older[8] = 1;
  EXPECT_NE(bad(older).find("version 1, and this program reads 5. HINT: "), std::string::npos) << refusal(file);
}

std::vector<std::uint8_t> with_checksum(std::vector<std::uint8_t> bytes) {
  const std::uint32_t crc = crc32c(std::span(bytes).subspan(24));
  for (unsigned b = 0; b < 4; ++b) bytes[12 + b] = static_cast<std::uint8_t>(crc >> 8 * b);
  return bytes;
}

TEST(DebugCore, WithNamesOfNothingIsRefused) {
  const HungRun hung(false);
  const deadlock::Core good = read_core(hung.file());
  const auto throws = [&](const std::function<void(deadlock::Core&)>& harm) {
    deadlock::Core bad = good;
    harm(bad);
    EXPECT_THROW(deadlock::decode(deadlock::encode(bad), "x"), DamagedFile);
  };
  throws([](deadlock::Core& c) { c.program.kernels.at(1).parameters.at(0).reg = 16; });
  throws([](deadlock::Core& c) { c.arrays.at(2).address = -1; });
  throws([](deadlock::Core& c) { c.arrays.at(2).width = 1 << 17; });
  throws([](deadlock::Core& c) { c.width = -5; });
  throws([](deadlock::Core& c) { c.hang_snapshot.shape.lanes = 0; });
}

/// Every command survives nonsense under a correct checksum.
TEST(DebugCore, NonsenseWithRightChecksumsDoesNoHarm) {
  const HungRun hung(false);
  deadlock::Core small = read_core(hung.file());
  for (machine::TileHang& tile : small.hang_snapshot.tiles) tile.state.memory.resize(512);  // small memories, for speed
  const std::vector<std::uint8_t> good = deadlock::encode(small);
  const std::size_t names = deadlock::encode({small.hang_snapshot, {}}).size();  // the program and the arrays follow
  Rng rng(test_seed());
  int refused = 0, shown = 0;
  for (int i = 0; i < 300; ++i) {
    auto bad = good;
    const auto any = [&](std::size_t from) { return from + rng.below(static_cast<unsigned>(good.size() - from)); };
    for (std::size_t n = 0, where = i % 3 == 0 ? 24 + rng.below(64) : any(i % 3 == 1 ? 24 : names); n < 8; ++n, ++where)
      if (where < bad.size())
        bad[where] = static_cast<std::uint8_t>(i % 2 ? 0xff : rng.below(256));  // including huge sizes
    try {
      CoreTarget target(deadlock::decode(with_checksum(bad), "x"), "x");
      Typed typed(target);
      std::vector<std::string> lines = {"where all", "report", "list", "info symbols", "print x[0]", "print x[3][0:8]"};
      for (const char* what : {"registers", "routes", "credits", "streams", "handoffs", "flags", "breaks"})
        lines.push_back(std::string("info ") + what);
      for (const compiler::ArraySymbol& a : target.names({}).arrays) lines.push_back("print " + a.name + "[0]");
      for (const char* what : {"r15", "psum.r1", "csr VL", "R[255]", "M[0:8]", "M[65535]"})
        lines.push_back(std::string("print ") + what);
      for (const char* tile : {"tile 0,0", "tile 3,3"}) typed.run({tile}), typed.run(lines);
      ++shown;
    } catch (const Refusal&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 30);
  EXPECT_GT(shown, 30);
}

}  // namespace
}  // namespace weft::inspect::debug
