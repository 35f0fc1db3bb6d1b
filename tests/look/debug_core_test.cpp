/// Core dumps in the debugger.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "host/look/debug/core_command.hpp"
#include "host/look/debug/core_target.hpp"
#include "host/look/hang/core_file.hpp"
#include "host/look/hang/watched_wafer.hpp"
#include "sw/base/crc32c.hpp"
#include "sw/base/refusal.hpp"
#include "sw/hang/report.hpp"
#include "tests/appliance/temporary_folder.hpp"
#include "tests/look/session.hpp"
#include "tests/random.hpp"

namespace weft::debug {
namespace {

using test::Dice;
using test::test_seed;

constexpr const char* kPhase = "h.0.attn.c_attn.q";

/// gpt_tiny in a phase of which half the weights are missing.
struct Planted {
  explicit Planted(bool rtl) {
    const std::size_t phase = find_phase(tiny.plan, kPhase);
    const auto known = [&] {
      return hang::Core{.standstill = {},
                        .program = tiny.plan.program,
                        .arrays = tiny.plan.arrays,
                        .width = tiny.plan.tokens_per_column,
                        .options = "--params tiny.yaml"};
    };
    const auto wafer =
        watched(rtl ? make_rtl_wafer(tiny.plan.wafer) : make_model_wafer(tiny.plan.wafer), folder.path(), known);
    wafer->feed(tiny.plan.load);
    wafer->feed(tiny.tokens);
    wafer->at({.wafer = 0, .step = 4, .micro_batch = 1, .phase = kPhase});
    std::vector<Message> messages;
    for (std::size_t n = 0; n <= phase; ++n) {
      expand(tiny.plan.ops[n], tiny.memoryx.store().weights(), messages);
      if (n == phase) messages.resize(messages.size() / 2);
      wafer->feed(messages);
    }
    try {
      wafer->settle();
    } catch (const WaferStuck& stuck) {
      standstill = *stuck.standstill;
    }
  }

  std::string file() const { return folder / "wafer_0_step_4.weftcore"; }

  TemporaryFolder folder;
  Phases tiny{"gpt_tiny.yaml"};
  Standstill standstill;
};

void write(const std::string& file, std::span<const std::uint8_t> bytes) {
  std::ofstream out(file, std::ios::binary);
  out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

struct Printed {
  int code = 0;
  std::string text;
};

Printed by_script(const std::string& core, const std::string& script, const std::string& lines) {
  std::ofstream(script) << lines;
  std::istringstream in;
  std::ostringstream out;
  const int code = debug_core({{"core", core}, {"script", script}}, in, false, out);
  return {code, out.str()};
}

TEST(DebugCore, ShowsTheCulpritsRegistersAndMemory) {
  for (const bool rtl : {false, true}) {
    const Planted planted(rtl);
    ASSERT_FALSE(planted.standstill.tiles.empty());
    const std::string report = hang::report(planted.standstill, &planted.tiny.plan.program);
    int row = -1, col = -1;
    ASSERT_EQ(std::sscanf(report.c_str(), "culprit: tile (%d,%d)", &row, &col), 2) << report;
    const Printed all =
        by_script(planted.file(), planted.folder / "script",
                  "tile " + std::to_string(row) + "," + std::to_string(col) +
                      "\nwhere\ninfo registers\nprint r1\nprint residual[1][0:4]/x\nprint x[0][0:2]/x\n"
                      "info streams\ninfo routes\ninfo symbols\ninfo flags\ninfo handoffs\nlist\nreport\n");
    EXPECT_EQ(all.code, 0) << all.text;
    const auto has = [&](const std::string& part) {
      EXPECT_NE(all.text.find(part), std::string::npos) << all.text << "has no " << part;
    };
    has(report);
    const TileState& state = planted.standstill.tile(row, col).state;
    has("main r1=" + std::to_string(state.main.registers[1]) + " r2=" + std::to_string(state.main.registers[2]));
    has("psum r1=" + std::to_string(state.psum.registers[1]));
    const ArraySymbol& residual = *find_symbol(planted.tiny.plan.arrays, "residual");
    std::string values;
    for (int k = 0; k < 4; ++k)
      values += fmt::format(" {:#06x}", state.memory[static_cast<std::size_t>(residual.address + residual.width + k)]);
    has("residual[1][0:4] = ");
    has(":4]" + values);
    const unsigned x = state.main.registers[1];
    has(fmt::format("M[{:#x}:2] {:#06x} {:#06x}", x, state.memory[x], state.memory[x + 1]));
    has("waits for W");
    has("RING from S -> RAMP");
    has(rtl ? "rtl stood still in cycle" : "model stood still");
    has(std::string("wafer 0, step 4, the host at ") + kPhase);
    const Printed credits = by_script(planted.file(), planted.folder / "script", "info credits\n");
    EXPECT_EQ(credits.code, rtl ? 0 : 1);
    EXPECT_NE(credits.text.find(rtl ? "RING: N 4 E" : "no credits. HINT: "), std::string::npos) << credits.text;
  }
}

TEST(DebugCore, StandsStill) {
  const Planted planted(false);
  for (const char* line : {"step", "beat", "cycle 3", "move", "continue", "back", "goto 5", "break gemm_output"}) {
    const Printed printed = by_script(planted.file(), planted.folder / "script", std::string(line) + "\n");
    EXPECT_EQ(printed.code, 1);
    EXPECT_NE(
        printed.text.find("is a core dump: it stands still. HINT: alive, at the phase that the host had begun: weft "
                          "debug --params tiny.yaml --backend model --step 5 --wafer 1 --phase h.0.attn.c_attn.q"),
        std::string::npos)
        << line << ": " << printed.text;
  }
}

TEST(DebugCore, TakesOnlyWhatItCanDo) {
  const Planted planted(false);
  std::istringstream in;
  std::ostringstream out;
  EXPECT_THROW(debug_core({}, in, false, out), Refusal);
  for (const auto& [name, value] : Options{
           {"phase", kPhase}, {"step", "1"}, {"wafer", "0"}, {"tile", "1"}, {"tile", "9,9"}, {"script", "/no/such"}})
    EXPECT_THROW(debug_core({{"core", planted.file()}, {name, value}}, in, false, out), Refusal) << name;
  EXPECT_EQ(debug_core({{"core", planted.file()}, {"tile", "1,1"}}, in, false, out), 0);
  EXPECT_NE(out.str().find("tile (1,1)\nmain: at "), std::string::npos) << out.str();
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

TEST(DebugCore, ThatIsDamagedIsRefused) {
  const Planted planted(false);
  const std::vector<std::uint8_t> good = hang::encode(read_core(planted.file()));
  const std::string file = planted.folder / "bad.weftcore";
  Dice dice(test_seed());
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
    flipped[dice.below(static_cast<unsigned>(good.size()))] ^= static_cast<std::uint8_t>(1u << dice.below(8));
    EXPECT_NE(bad(flipped).find("HINT: "), std::string::npos);
  }
  auto older = good;
  older[8] = 1;
  EXPECT_NE(bad(older).find("version 1, and this program reads 2. HINT: "), std::string::npos) << refusal(file);
}

std::vector<std::uint8_t> with_checksum(std::vector<std::uint8_t> bytes) {
  const std::uint32_t crc = crc32c(std::span(bytes).subspan(24));
  for (unsigned b = 0; b < 4; ++b) bytes[12 + b] = static_cast<std::uint8_t>(crc >> 8 * b);
  return bytes;
}

TEST(DebugCore, WithNamesOfNothingIsRefused) {
  const Planted planted(false);
  const hang::Core good = read_core(planted.file());
  const auto throws = [&](const std::function<void(hang::Core&)>& harm) {
    hang::Core bad = good;
    harm(bad);
    EXPECT_THROW(hang::decode(hang::encode(bad), "x"), DamagedFile);
  };
  throws([](hang::Core& c) { c.program.kernels.at(1).parameters.at(0).reg = 16; });
  throws([](hang::Core& c) { c.arrays.at(2).address = -1; });
  throws([](hang::Core& c) { c.arrays.at(2).width = 1 << 17; });
  throws([](hang::Core& c) { c.width = -5; });
  throws([](hang::Core& c) { c.standstill.shape.lanes = 0; });
}

/// Every command looks at nonsense under a right checksum, and comes back.
TEST(DebugCore, WithRightChecksumsOverNonsenseHarmsNobody) {
  const Planted planted(false);
  hang::Core small = read_core(planted.file());
  for (TileStandstill& tile : small.standstill.tiles) tile.state.memory.resize(512);  // quick
  const std::vector<std::uint8_t> good = hang::encode(small);
  const std::size_t names = hang::encode({small.standstill, {}}).size();  // behind it: program, arrays
  Dice dice(test_seed());
  int refused = 0, shown = 0;
  for (int i = 0; i < 300; ++i) {
    auto bad = good;
    const auto any = [&](std::size_t from) { return from + dice.below(static_cast<unsigned>(good.size() - from)); };
    for (std::size_t n = 0, where = i % 3 == 0 ? 24 + dice.below(64) : any(i % 3 == 1 ? 24 : names); n < 8;
         ++n, ++where)
      if (where < bad.size())
        bad[where] = static_cast<std::uint8_t>(i % 2 ? 0xff : dice.below(256));  // huge sizes, too
    try {
      CoreTarget target(hang::decode(with_checksum(bad), "x"), "x");
      Typed typed(target);
      std::vector<std::string> lines = {"where all", "report", "list", "info symbols", "print x[0]", "print x[3][0:8]"};
      for (const char* what : {"registers", "routes", "credits", "streams", "handoffs", "flags", "breaks"})
        lines.push_back(std::string("info ") + what);
      for (const ArraySymbol& a : target.names().arrays) lines.push_back("print " + a.name + "[0]");
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
}  // namespace weft::debug
