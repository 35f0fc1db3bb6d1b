/// A reader of an FST file finds the written values.
#include "verif/trace/fst_file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "sw/base/refusal.hpp"
#include "tests/trace/read_fst.hpp"

namespace weft::trace {
namespace {

std::string path(const char* name) { return (std::filesystem::path(testing::TempDir()) / name).string(); }

TEST(FstFile, ValuesComeBackAtTheirTimes) {
  const std::string name = path("values.fst");
  FstFile file(name);
  file.open_scope("tile");
  FstSignal wide(file, file.vector("wide", 38), 38);
  FstSignal state(file, file.enumerated("state", 2, file.enumeration("states", {"idle", "busy"}, 2)), 2);
  FstText text(file, file.text("text"));
  FstLanes lanes(file, file.vector("lanes", 8), 2, 4);
  file.close_scope();
  file.time(5);
  wide.none();
  state.set(1);
  text.set("W 17");
  lanes.set(0b01, [](std::size_t) { return 9; });
  file.time(6);
  wide.set(0x2000000003);
  state.set(1);  // no change
  text.set("");
  file.time(9);
  wide.none();
  lanes.set(0b11, [](std::size_t l) { return l; });
  file.close();

  const FstContent c = read_fst(name);
  using Values = std::vector<std::pair<std::uint64_t, std::string>>;
  const auto after = [&](const char* signal) {  // the reader gives every signal a first value
    Values v = c.signals.at(signal);
    std::erase_if(v, [](const auto& one) { return one.first < 5; });
    return v;
  };
  EXPECT_EQ(after("tile.wide").at(0).second, std::string(38, 'z'));
  EXPECT_EQ(after("tile.wide").at(1), (std::pair<std::uint64_t, std::string>(6, "1" + std::string(35, '0') + "11")));
  EXPECT_EQ(after("tile.wide").size(), 3u);
  EXPECT_EQ(after("tile.state"), (Values{{5, "01"}}));
  EXPECT_EQ(after("tile.text"), (Values{{5, "W 17"}, {6, ""}}));
  EXPECT_EQ(after("tile.lanes"), (Values{{5, "zzzz1001"}, {9, "00010000"}}));
}

using Changes = std::vector<std::pair<std::uint64_t, std::string>>;

/// Writes random changes of signals of all widths, in blocks of about `block_bytes`, and reads them back.
/// `file_name`: each test has its own, since tests run at the same time.
void expect_round_trip(const char* file_name, std::size_t block_bytes, unsigned times) {
  const std::string name = path(file_name);
  FstFile file(name, name, block_bytes);
  struct Signal {
    std::string name;
    unsigned bits;  // 0: a text
    FstFile::Handle handle;
    Changes changes;
  };
  std::vector<Signal> signals;
  for (const unsigned bits : {0, 1, 2, 7, 8, 9, 38, 63, 64, 65, 128, 1000}) {
    for (int twin = 0; twin < 2; ++twin) {
      const std::string signal = "s" + std::to_string(bits) + (twin ? "_twin" : "");
      signals.push_back({signal, bits, bits == 0 ? file.text(signal) : file.vector(signal, bits), {}});
    }
  }
  signals.push_back({"never", 5, file.vector("never", 5), {}});
  std::mt19937 random(7);
  std::uint64_t now = 1000;
  for (unsigned t = 0; t < times; ++t) {
    file.time(now);
    for (std::size_t s = 0; s + 1 < signals.size(); s += 2) {
      if (random() % 4 == 0) continue;
      const unsigned bits = signals[s].bits;
      const std::string_view letters = bits == 0 ? "a \\\"?'\n\xff" : random() % 2 == 0 ? "01xz" : "01";
      std::string value;
      while (value.size() < (bits == 0 ? random() % 40 : bits)) value.push_back(letters[random() % letters.size()]);
      const bool number = bits > 0 && bits <= 64 && value.find_first_of("xz") == std::string::npos;
      for (std::size_t twin = s; twin < s + 2; ++twin) {
        if (bits == 0) {
          file.put_text(signals[twin].handle, value);
        } else if (number) {
          file.emit(signals[twin].handle, std::stoull(value, nullptr, 2), bits);
        } else {
          file.emit(signals[twin].handle, value);
        }
        signals[twin].changes.emplace_back(now, value);
      }
    }
    now += random() % 3 == 0 ? 1 + random() % 100000 : 1;
  }
  file.close();
  const FstContent content = read_fst(name);
  for (const Signal& signal : signals) EXPECT_EQ(content.signals.at(signal.name), signal.changes) << signal.name;
}

TEST(FstFile, SignalsOfAllWidthsComeBack) { expect_round_trip("random.fst", std::size_t{1} << 26, 2000); }
/// The number of blocks of changes in the file.
unsigned blocks_of(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  unsigned blocks = 0;
  for (char type = 0; file.get(type);) {
    unsigned char length[8] = {};
    if (!file.read(reinterpret_cast<char*>(length), sizeof length)) break;
    std::uint64_t bytes = 0;
    for (const unsigned char byte : length) bytes = bytes << 8 | byte;
    file.seekg(static_cast<std::streamoff>(bytes - 8), std::ios::cur);
    blocks += type == 8;
  }
  return blocks;
}

TEST(FstFile, ManyBlocksAreOneTrace) {
  expect_round_trip("blocks.fst", 5000, 2000);
  EXPECT_GT(blocks_of(path("blocks.fst")), 20u);
}

TEST(FstFile, CyclesWithoutAChangeEndABlockAsWell) {
  const std::string name = path("quiet.fst");
  FstFile file(name, name, 1000);
  const FstFile::Handle signal = file.vector("s", 4);
  for (unsigned t = 0; t < 10000; ++t) file.time(t);
  file.emit(signal, 9, 4);
  file.close();
  EXPECT_GE(blocks_of(name), 9u);
  EXPECT_EQ(read_fst(name).signals.at("s"), (Changes{{9999, "1001"}}));
}

TEST(FstChain, ABlocksMemoryIsFree) {
  fst::Chain chain(32);
  std::string frame(32, 'x');
  for (std::uint32_t step = 0; step < 10000; ++step) chain.add(step, std::uint64_t{step});
  chain.end_block(frame.data());
  EXPECT_LT(chain.bytes().capacity(), 100u);
}

/// A viewer that starts in the middle of a trace takes the values at that time from the block's frame.
TEST(FstChain, ABlockBeginsWithTheLastValues) {
  const auto frame_after = [](unsigned bits, const auto&... values) {
    fst::Chain chain(bits);
    std::string frame(bits, 'x');
    (chain.add(1, values), ...);
    chain.end_block(frame.data());
    EXPECT_TRUE(chain.bytes().empty());
    return frame;
  };
  using namespace std::string_view_literals;
  EXPECT_EQ(frame_after(3), "xxx");
  EXPECT_EQ(frame_after(1, std::uint64_t{0}, std::uint64_t{1}), "1");
  EXPECT_EQ(frame_after(1, std::uint64_t{1}, std::uint64_t{0}), "0");
  EXPECT_EQ(frame_after(1, std::uint64_t{1}, "z"sv), "z");
  EXPECT_EQ(frame_after(1, "z"sv, "x"sv), "x");
  EXPECT_EQ(frame_after(11, "zzzzzzzzzzz"sv, std::uint64_t{0x413}), "10000010011");
  EXPECT_EQ(frame_after(11, std::uint64_t{5}, "0110x1z0010"sv), "0110x1z0010");
  EXPECT_EQ(frame_after(70, "1" + std::string(68, '0') + "1"), "1" + std::string(68, '0') + "1");
}

TEST(FstFile, TheFrameOfABlockHasTheValuesOfAllBlocksBefore) {
  const std::string name = path("frames.fst");
  FstFile file(name, name, 1);  // a block for each time
  const FstFile::Handle first = file.vector("first", 5), second = file.vector("second", 3);
  file.time(1);
  file.emit(first, 0b10110, 5);
  file.time(2);
  file.emit(second, 0b011, 3);
  file.time(3);
  file.emit(second, 0b111, 3);
  file.close();
  std::ifstream bytes(name, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(bytes), {});
  // A frame of eight characters is not compressed.
  for (const char* frame : {"xxxxxxxx", "10110xxx", "10110011"})
    EXPECT_NE(text.find(frame), std::string::npos) << frame;
}

TEST(FstFile, NamesOfValuesComeBack) {
  const std::string name = path("names.fst");
  FstFile file(name);
  file.enumerated("state", 2, file.enumeration("states", {"is idle", "b\"\\?", "p:0x1+2"}, 2));
  file.close();
  EXPECT_NE(vcd_of(name).find("$attrbegin misc 07 \"\" 1 $end"), std::string::npos) << vcd_of(name);
  EXPECT_NE(vcd_of(name).find(R"(states 3 is\040idle b\042\134\077 p:0x1+2 00 01 10)"), std::string::npos);
}

TEST(FstFile, AFolderThatIsNotThereIsRefused) { EXPECT_THROW(FstFile(path("no/such/folder/x.fst")), Refusal); }

/// Runs in a separate process, in which a file may not exceed a small size.
void write_much() {
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{2000, 2000};
  ::setrlimit(RLIMIT_FSIZE, &limit);
  try {
    FstFile file(path("much.fst"));
    FstSignal s(file, file.vector("s", 32), 32);
    std::uint64_t noise = 1;
    for (unsigned t = 1; t < 100000; ++t) {
      file.time(t);
      s.set((noise = noise * 6364136223846793005 + 1) >> 32);
    }
    file.close();
  } catch (const Refusal&) {
    std::_Exit(7);
  }
  std::_Exit(0);
}

TEST(FstFileDeathTest, AFullDiskIsSaid) { EXPECT_EXIT(write_much(), testing::ExitedWithCode(7), ""); }

}  // namespace
}  // namespace weft::trace
